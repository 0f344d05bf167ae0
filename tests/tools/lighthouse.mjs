// Lighthouse on pages of a built site, on a phone and on a desktop:
// node lighthouse.mjs NODE_TOOLS FOLDER BASE_PATH PAGE…
// Prints a line of JSON for each: the page, the device, and what is less than perfect. Speed is
// not looked at, because it depends on the machine.
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [tools, folder, base, ...pages] = process.argv.slice(2);
const load = path => import(pathToFileURL(join(tools, "node_modules", path)));
const { default: lighthouse, desktopConfig } = await load("lighthouse/core/index.js");
const { launch } = await load("chrome-launcher/dist/index.js");

const types = {
    html: "text/html; charset=utf-8", css: "text/css", js: "text/javascript",
    svg: "image/svg+xml", png: "image/png", json: "application/json", txt: "text/plain",
};
const server = createServer(async (request, response) => {
    const path = decodeURIComponent(new URL(request.url, "http://x").pathname);
    const name = path === "/robots.txt" ? "robots.txt" : path.slice(base.length);
    const file = name === "" || name.endsWith("/") ? `${name}index.html` : name;
    try {
        const bytes = await readFile(join(folder, file));
        response.setHeader("Content-Type", types[file.split(".").pop()] ?? "application/octet-stream");
        response.end(bytes);
    } catch {
        response.statusCode = 404;
        response.end();
    }
});
await new Promise(done => server.listen(0, "127.0.0.1", done));

const chrome = await launch({
    chromePath: process.env.CHROMIUM ?? "chromium",
    chromeFlags: ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
});
for (const [device, config] of [["phone", undefined], ["desktop", desktopConfig]]) {
    for (const page of pages) {
        const url = `http://127.0.0.1:${server.address().port}${base}${page}`;
        const flags = {
            port: chrome.port, logLevel: "silent",
            onlyCategories: ["accessibility", "best-practices", "seo"],
        };
        const { lhr } = await lighthouse(url, flags, config);
        const bad = Object.values(lhr.audits)
            .filter(audit => audit.score !== null && audit.score < 1
                && !["informative", "notApplicable", "manual"].includes(audit.scoreDisplayMode))
            .map(audit => audit.id);
        const scores = Object.values(lhr.categories).map(category => category.score);
        console.log(JSON.stringify({ page, device, scores, bad, error: lhr.runtimeError?.message }));
    }
}
await chrome.kill();
server.close();
process.exit();
