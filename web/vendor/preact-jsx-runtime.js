// node_modules/preact/jsx-runtime/dist/jsxRuntime.mjs
import { options as r, Fragment as t } from "preact";
import { Fragment } from "preact";
var e = /["&<]/;
function n(r2) {
  if (!r2.length || !e.test(r2)) return r2;
  for (var t2 = 0, n2 = 0, f2 = "", o2 = ""; n2 < r2.length; n2++) {
    switch (r2.charCodeAt(n2)) {
      case 34:
        o2 = "&quot;";
        break;
      case 38:
        o2 = "&amp;";
        break;
      case 60:
        o2 = "&lt;";
        break;
      default:
        continue;
    }
    n2 != t2 && (f2 += r2.slice(t2, n2)), f2 += o2, t2 = n2 + 1;
  }
  return n2 != t2 && (f2 += r2.slice(t2, n2)), f2;
}
var f = /* @__PURE__ */ Symbol.for("pv");
var o = 0;
var u = Array.isArray;
function a(t2, e2, n2, u2, a2, i2) {
  e2 || (e2 = {});
  var c2, l2, p2 = e2;
  if ("ref" in p2 && "function" != typeof t2) for (l2 in p2 = {}, e2) "ref" == l2 ? c2 = e2[l2] : p2[l2] = e2[l2];
  var s2 = { type: t2, props: p2, key: n2, ref: c2, __k: null, __: null, __b: 0, __e: null, __c: null, constructor: f, __v: --o, __i: -1, __u: 0 };
  return (a2 || i2) && (s2.__source = a2, s2.__self = i2), r.vnode && r.vnode(s2), s2;
}
function i(r2) {
  var e2 = a(t, { tpl: r2, exprs: [].slice.call(arguments, 1) });
  return e2.key = e2.__v, e2;
}
var c = {};
var l = /[A-Z]/g;
function p(t2, e2) {
  if (r.attr) {
    var f2 = r.attr(t2, e2);
    if ("string" == typeof f2) return f2;
  }
  if (e2 = (function(r2) {
    return null != r2 && "object" == typeof r2 && "function" == typeof r2.valueOf ? r2.valueOf() : r2;
  })(e2), "ref" == t2 || "key" == t2) return "";
  if ("style" == t2 && "object" == typeof e2) {
    var o2 = "";
    for (var u2 in e2) {
      var a2 = e2[u2];
      null != a2 && "" !== a2 && (o2 = o2 + ("-" == u2[0] ? u2 : c[u2] || (c[u2] = u2.replace(l, "-$&").toLowerCase())) + ":" + a2 + ";");
    }
    return t2 + '="' + n(o2) + '"';
  }
  return null == e2 || false === e2 || "function" == typeof e2 || "object" == typeof e2 ? "" : true === e2 ? t2 : t2 + '="' + n("" + e2) + '"';
}
function s(r2) {
  if (null == r2 || "boolean" == typeof r2 || "function" == typeof r2) return null;
  if ("object" == typeof r2) {
    if (r2.constructor === f) return r2;
    if (u(r2)) {
      for (var t2 = 0; t2 < r2.length; t2++) r2[t2] = s(r2[t2]);
      return r2;
    }
  }
  return n("" + r2);
}
export {
  Fragment,
  a as jsx,
  p as jsxAttr,
  a as jsxDEV,
  s as jsxEscape,
  i as jsxTemplate,
  a as jsxs
};
