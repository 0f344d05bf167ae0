// The lantern is lit where scripts run.
document.documentElement.dataset.lit = "";
