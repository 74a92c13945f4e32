// The kit: what pages are made of. app.js exports it, and pages import it from there.

export * from "preact";
export * from "preact/hooks";
export * from "preact/jsx-runtime";
export * from "@preact/signals";
export * from "./answer";
export * from "./api";
export * from "./bars";
export * from "./changes";
export * from "./control";
export * from "./file";
export * from "./format";
export * from "./group";
export * from "./hit";
export * from "./icon";
export * from "./keys";
export * from "./many";
export * from "./module";
export * from "./route";
export * from "./rows";
export * from "./say";
export * from "./section";
export * from "./session";
export * from "./sound";
export * from "./staged";
export * from "./upload";
