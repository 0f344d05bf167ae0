// Validates JSON files against a JSON Schema: node validate_json.mjs NODE_TOOLS SCHEMA FOLDER
// Prints a line for each file that is not valid, and the number of files at the end.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [tools, schema, folder] = process.argv.slice(2);
const ajv = await import(pathToFileURL(join(tools, "node_modules/ajv/dist/2020.js")));
const read = async path => JSON.parse(await readFile(path, "utf8"));
const isValid = new ajv.default.default({ strict: false, validateFormats: false }).compile(await read(schema));
const files = (await readdir(folder, { recursive: true })).filter(name => name.endsWith(".json"));
for (const name of files) {
    if (!isValid(await read(join(folder, name)))) {
        const [{ instancePath, message }] = isValid.errors;
        console.log(`${name}: ${instancePath} ${message}`);
    }
}
console.log(files.length);
