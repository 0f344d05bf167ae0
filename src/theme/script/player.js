// Turns links to videos into players when a reader asks for it; nothing is loaded before.

const play = /** @type {HTMLScriptElement} */ (document.currentScript).dataset.play ?? "";
const language = document.querySelector("footer")?.lang ?? "";

for (const place of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".video"))) {
  const { player = "" } = place.dataset;
  const button = Object.assign(document.createElement("button"), { type: "button", lang: language });
  button.textContent = play.replace("{host}", new URL(place.querySelector("a")?.href ?? player).hostname.replace("www.", ""));
  button.addEventListener("click", () => {
    const frame = Object.assign(document.createElement("iframe"), { src: player, allow: "autoplay; encrypted-media; fullscreen; picture-in-picture" });
    frame.title = place.textContent?.replace(button.textContent ?? "", "").trim() ?? "";
    button.replaceWith(frame);
    frame.focus();
  });
  place.prepend(button, " ");
}
