// Marks the current question in the outline.

export function markOutline() {
  /** @type {NodeListOf<HTMLAnchorElement>} */
  const all = document.querySelectorAll('.outline a[href^="#"]');
  const links = new Map(Array.from(all, link => [link.hash.slice(1), link]));
  if (!links.size) return;
  /** @type {HTMLAnchorElement | undefined} */
  let current;
  const mark = () => {
    // At its end the page cannot scroll any further to the last questions.
    const isEnd = scrollY + innerHeight >= document.documentElement.scrollHeight - 2;
    const line = isEnd ? innerHeight : innerHeight / 3;
    const passed = [...links.keys()].filter(id => {
      const top = document.getElementById(id)?.getBoundingClientRect().top;
      return top !== undefined && top < line;
    });
    const link = links.get(passed.at(-1) ?? "");
    if (link === current) return;
    current?.removeAttribute("aria-current");
    link?.setAttribute("aria-current", "true");
    current = link;
    /** @type {HTMLElement | null | undefined} */
    const box = link?.closest("details > ol");
    // Scroll only the outline, not the page.
    if (link && box) box.scrollTop = link.offsetTop - box.offsetTop - box.clientHeight / 2;
  };
  let isWaiting = false;
  const markSoon = () => {
    if (!isWaiting) requestAnimationFrame(() => { isWaiting = false; mark(); });
    isWaiting = true;
  };
  addEventListener("scroll", markSoon, { passive: true });
  markSoon();
}
