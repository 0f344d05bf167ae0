// Linter rules for page scripts and their tests.

import { readFileSync } from "node:fs";

// The build keeps these names, and gives short names to all others.
const names = readFileSync(new URL("../../src/scripts/globals.txt", import.meta.url), "utf8").trim().split("\n");

// The linter knows the names of the language, but the build does not.
const unknown = Object.getOwnPropertyNames(globalThis).filter(name => name !== "undefined" && !names.includes(name));
const globals = Object.fromEntries([...unknown.map(name => [name, "off"]), ...names.map(name => [name, "readonly"])]);

export default [
  {
    rules: {
      "array-callback-return": ["error", { allowImplicit: false }],
      "block-scoped-var": "error",
      "eqeqeq": "error",
      "for-direction": "error",
      "getter-return": "error",
      "no-async-promise-executor": "error",
      "no-case-declarations": "error",
      "no-compare-neg-zero": "error",
      "no-cond-assign": "error",
      "no-constant-binary-expression": "error",
      "no-constructor-return": "error",
      "no-dupe-else-if": "error",
      "no-duplicate-case": "error",
      "no-duplicate-imports": "error",
      "no-else-return": "error",
      "no-empty": "error",
      "no-eval": "error",
      "no-ex-assign": "error",
      "no-fallthrough": "error",
      "no-implicit-coercion": "error",
      "no-implied-eval": "error",
      "no-irregular-whitespace": "error",
      "no-lonely-if": "error",
      "no-misleading-character-class": "error",
      "no-new-func": "error",
      "no-promise-executor-return": "error",
      "no-prototype-builtins": "error",
      "no-regex-spaces": "error",
      "no-script-url": "error",
      "no-self-compare": "error",
      "no-sparse-arrays": "error",
      "no-template-curly-in-string": "error",
      "no-unassigned-vars": "error",
      "no-unmodified-loop-condition": "error",
      "no-unneeded-ternary": "error",
      "no-unreachable-loop": "error",
      "no-unsafe-finally": "error",
      "no-unsafe-optional-chaining": "error",
      "no-unused-expressions": "error",
      "no-unused-vars": "error",
      "no-use-before-define": ["error", { functions: false, classes: false, variables: false }],
      "no-useless-assignment": "error",
      "no-useless-concat": "error",
      "no-useless-escape": "error",
      "no-useless-rename": "error",
      "no-useless-return": "error",
      "no-var": "error",
      "object-shorthand": "error",
      "prefer-const": ["error", { destructuring: "all" }],
      "prefer-object-has-own": "error",
      "prefer-regex-literals": "error",
      "prefer-rest-params": "error",
      "prefer-template": "error",
      "use-isnan": "error",
      "valid-typeof": "error",
    },
  },
  {
    // `build.rs` supports only simple imports and exports.
    files: ["src/**"],
    languageOptions: { globals },
    rules: {
      "no-undef": "error",
      "no-alert": "error",
      "no-console": "error",
      "no-restricted-syntax": ["error",
        { selector: "TemplateElement[value.raw=/\\n/]", message: "A template literal must end on its line." },
        { selector: "ExportDefaultDeclaration, ExportAllDeclaration, ExportNamedDeclaration[declaration=null]", message: "Export declarations only." },
        { selector: "ImportExpression[source.type!='Literal'], MetaProperty[meta.name='import']", message: "Name the file of a dynamic import." },
        { selector: "AssignmentExpression[left.property.name=/^(?:inner|outer)HTML$/], CallExpression[callee.property.name='insertAdjacentHTML']", message: "Never parse text as HTML." },
      ],
    },
  },
];
