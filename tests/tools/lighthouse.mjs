// Lighthouse on pages of a built site, on a phone and on a desktop:
// node lighthouse.mjs NODE_TOOLS FOLDER BASE_PATH [--speed] PAGE…
// Prints a line of JSON for each: the page, the device, and what is less than perfect. Speed depends on the
// machine: it is looked at where that is asked for, on the phone alone, whose network and processor are
// reckoned; and as other work of the machine can only make a page slower, the best of some runs counts.
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const isSpeed = process.argv.includes("--speed");
const [tools, folder, base, ...pages] = process.argv.slice(2).filter(word => word !== "--speed");
const RUNS = 8;
// The BenchmarkIndex from which on a machine is a fast desktop, by the table of classes in Lighthouse's
// docs/throttling.md. Lighthouse means a phone that is four times slower than one; a machine that is slower
// itself slows a page down less from the second run on, so that the phone stays the same.
const FAST_DESKTOP = 1500;
const slowdown = benchmarkIndex => Math.max(1, 4 * Math.min(1, benchmarkIndex / FAST_DESKTOP));
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
const devices = [["phone", undefined], ["desktop", desktopConfig]].slice(0, isSpeed ? 1 : 2);
for (const [device, config] of devices) {
    for (const page of pages) {
        const url = `http://127.0.0.1:${server.address().port}${base}${page}`;
        const flags = {
            port: chrome.port, logLevel: "silent",
            onlyCategories: [...isSpeed ? ["performance"] : [], "accessibility", "best-practices", "seo"],
        };
        // A page that is not to be listed says so, which is no fault of it.
        const text = await readFile(join(folder, page, "index.html"), "utf8").catch(() => "");
        if (isSpeed && text.includes('content="noindex')) flags.skipAudits = ["is-crawlable"];
        let lhr, least = -1;
        for (let run = 0; run < (isSpeed ? RUNS : 1) && least < 1; run++) {
            const { lhr: next } = await lighthouse(url, flags, config);
            flags.throttling = { cpuSlowdownMultiplier: slowdown(next.environment.benchmarkIndex) };
            const score = Math.min(...Object.values(next.categories).map(category => category.score ?? 0));
            if (score > least) [lhr, least] = [next, score];
        }
        const bad = Object.values(lhr.audits)
            .filter(audit => audit.score !== null && audit.score < 1
                && !["informative", "notApplicable", "manual"].includes(audit.scoreDisplayMode))
            .map(audit => audit.id);
        const scores = Object.values(lhr.categories).map(category => category.score);
        const { benchmarkIndex } = lhr.environment;
        console.log(JSON.stringify({ page, device, scores, bad, benchmarkIndex, error: lhr.runtimeError?.message }));
    }
}
await chrome.kill();
server.close();
process.exit();
