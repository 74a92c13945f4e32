// node_modules/@preact/signals/dist/signals.module.js
import { createElement as i2, Fragment as n2, Component as r2, options as t2, isValidElement as f2 } from "preact";
import { useMemo as o2, useRef as e2, useEffect as u2 } from "preact/hooks";

// node_modules/@preact/signals-core/dist/signals-core.module.js
var i = /* @__PURE__ */ Symbol.for("preact-signals");
function t() {
  if (!(v > 1)) {
    var i3, t3 = false;
    !(function() {
      var i4 = c;
      c = void 0;
      while (void 0 !== i4) {
        var t4 = i4.S;
        if (t4.v === i4.v) {
          for (var r4 = t4.t; void 0 !== r4; r4 = r4.x) if (r4.i === i4.i) r4.i = t4.i;
        }
        i4 = i4.o;
      }
    })();
    while (void 0 !== h) {
      var r3 = h;
      h = void 0;
      s++;
      while (void 0 !== r3) {
        var n3 = r3.u;
        r3.u = void 0;
        r3.f &= -3;
        if (!(8 & r3.f) && w(r3)) try {
          r3.c();
        } catch (r4) {
          if (!t3) {
            i3 = r4;
            t3 = true;
          }
        }
        r3 = n3;
      }
    }
    s = 0;
    v--;
    if (t3) throw i3;
  } else v--;
}
function r(i3) {
  if (v > 0) return i3();
  u = ++e;
  v++;
  try {
    return i3();
  } finally {
    t();
  }
}
var n;
var o = void 0;
function f(i3) {
  var t3 = o, r3 = n;
  o = void 0;
  n = void 0;
  try {
    return i3();
  } finally {
    o = t3;
    n = r3;
  }
}
var h = void 0;
var v = 0;
var s = 0;
var e = 0;
var u = 0;
var c = void 0;
var a = 0;
function d(i3) {
  if (void 0 !== o) {
    var t3 = i3.n;
    if (void 0 === t3 || t3.t !== o) {
      t3 = { i: 0, S: i3, p: o.s, n: void 0, t: o, e: void 0, x: void 0, r: t3 };
      if (void 0 !== o.s) o.s.n = t3;
      o.s = t3;
      i3.n = t3;
      if (32 & o.f) i3.S(t3);
      return t3;
    } else if (-1 === t3.i) {
      t3.i = 0;
      if (void 0 !== t3.n) {
        t3.n.p = t3.p;
        if (void 0 !== t3.p) t3.p.n = t3.n;
        t3.p = o.s;
        t3.n = void 0;
        o.s.n = t3;
        o.s = t3;
      }
      return t3;
    }
  }
}
function l(i3, t3) {
  this.v = i3;
  this.i = 0;
  this.n = void 0;
  this.t = void 0;
  this.l = 0;
  this.W = null == t3 ? void 0 : t3.watched;
  this.Z = null == t3 ? void 0 : t3.unwatched;
  this.name = null == t3 ? void 0 : t3.name;
}
l.prototype.brand = i;
l.prototype.h = function() {
  return true;
};
l.prototype.S = function(i3) {
  var t3 = this, r3 = this.t;
  if (r3 !== i3 && void 0 === i3.e) {
    i3.x = r3;
    this.t = i3;
    if (void 0 !== r3) r3.e = i3;
    else f(function() {
      var i4;
      null == (i4 = t3.W) || i4.call(t3);
    });
  }
};
l.prototype.U = function(i3) {
  var t3 = this;
  if (void 0 !== this.t) {
    var r3 = i3.e, n3 = i3.x;
    if (void 0 !== r3) {
      r3.x = n3;
      i3.e = void 0;
    }
    if (void 0 !== n3) {
      n3.e = r3;
      i3.x = void 0;
    }
    if (i3 === this.t) {
      this.t = n3;
      if (void 0 === n3) f(function() {
        var i4;
        null == (i4 = t3.Z) || i4.call(t3);
      });
    }
  }
};
l.prototype.subscribe = function(i3) {
  var t3 = this;
  return x(function() {
    var r3 = t3.value;
    f(function() {
      return i3(r3);
    });
  }, { name: "sub" });
};
l.prototype.valueOf = function() {
  return this.value;
};
l.prototype.toString = function() {
  return this.value + "";
};
l.prototype.toJSON = function() {
  return this.value;
};
l.prototype.peek = function() {
  var i3 = this;
  return f(function() {
    return i3.value;
  });
};
Object.defineProperty(l.prototype, "value", { get: function() {
  var i3 = d(this);
  if (void 0 !== i3) i3.i = this.i;
  return this.v;
}, set: function(i3) {
  if (i3 !== this.v) {
    if (s > 100) throw new Error("Cycle detected");
    !(function(i4) {
      if (0 !== v && 0 === s) {
        if (i4.l !== u) {
          i4.l = u;
          c = { S: i4, v: i4.v, i: i4.i, o: c };
        }
      }
    })(this);
    this.v = i3;
    this.i++;
    a++;
    v++;
    try {
      for (var r3 = this.t; void 0 !== r3; r3 = r3.x) r3.t.N();
    } finally {
      t();
    }
  }
} });
function y(i3, t3) {
  return new l(i3, t3);
}
function w(i3) {
  for (var t3 = i3.s; void 0 !== t3; t3 = t3.n) if (t3.S.i !== t3.i || !t3.S.h() || t3.S.i !== t3.i) return true;
  return false;
}
function b(i3) {
  for (var t3 = i3.s; void 0 !== t3; t3 = t3.n) {
    var r3 = t3.S.n;
    if (void 0 !== r3) t3.r = r3;
    t3.S.n = t3;
    t3.i = -1;
    if (void 0 === t3.n) {
      i3.s = t3;
      break;
    }
  }
}
function _(i3) {
  var t3 = i3.s, r3 = void 0;
  while (void 0 !== t3) {
    var n3 = t3.p;
    if (-1 === t3.i) {
      t3.S.U(t3);
      if (void 0 !== n3) n3.n = t3.n;
      if (void 0 !== t3.n) t3.n.p = n3;
    } else r3 = t3;
    t3.S.n = t3.r;
    if (void 0 !== t3.r) t3.r = void 0;
    t3 = n3;
  }
  i3.s = r3;
}
function j(i3, t3) {
  l.call(this, void 0, t3);
  this.x = i3;
  this.s = void 0;
  this.g = a - 1;
  this.f = 4;
}
j.prototype = new l();
j.prototype.h = function() {
  this.f &= -3;
  if (1 & this.f) return false;
  if (32 == (36 & this.f)) return true;
  this.f &= -5;
  if (this.g === a) return true;
  this.g = a;
  this.f |= 1;
  if (this.i > 0 && !w(this)) {
    this.f &= -2;
    return true;
  }
  var i3 = o;
  try {
    b(this);
    o = this;
    var t3 = this.x();
    if (16 & this.f || this.v !== t3 || 0 === this.i) {
      this.v = t3;
      this.f &= -17;
      this.i++;
    }
  } catch (i4) {
    this.v = i4;
    this.f |= 16;
    this.i++;
  }
  o = i3;
  _(this);
  this.f &= -2;
  return true;
};
j.prototype.S = function(i3) {
  if (void 0 === this.t) {
    this.f |= 36;
    for (var t3 = this.s; void 0 !== t3; t3 = t3.n) t3.S.S(t3);
  }
  l.prototype.S.call(this, i3);
};
j.prototype.U = function(i3) {
  if (void 0 !== this.t) {
    l.prototype.U.call(this, i3);
    if (void 0 === this.t) {
      this.f &= -33;
      for (var t3 = this.s; void 0 !== t3; t3 = t3.n) t3.S.U(t3);
    }
  }
};
j.prototype.N = function() {
  if (!(2 & this.f)) {
    this.f |= 6;
    for (var i3 = this.t; void 0 !== i3; i3 = i3.x) i3.t.N();
  }
};
Object.defineProperty(j.prototype, "value", { get: function() {
  if (1 & this.f) throw new Error("Cycle detected");
  var i3 = d(this);
  this.h();
  if (void 0 !== i3) i3.i = this.i;
  if (16 & this.f) throw this.v;
  return this.v;
} });
function O(i3, t3) {
  return new j(i3, t3);
}
function p(i3) {
  var r3 = i3.j;
  i3.j = void 0;
  if ("function" == typeof r3) {
    v++;
    var n3 = o;
    o = void 0;
    try {
      r3();
    } catch (t3) {
      i3.f &= -2;
      i3.f |= 8;
      g(i3);
      throw t3;
    } finally {
      o = n3;
      t();
    }
  }
}
function g(i3) {
  for (var t3 = i3.s; void 0 !== t3; t3 = t3.n) t3.S.U(t3);
  i3.x = void 0;
  i3.s = void 0;
  p(i3);
}
function S(i3) {
  if (o !== this) throw new Error("Out-of-order effect");
  _(this);
  o = i3;
  this.f &= -2;
  try {
    if (8 & this.f) g(this);
  } finally {
    t();
  }
}
function m(i3, t3) {
  this.x = i3;
  this.j = void 0;
  this.s = void 0;
  this.u = void 0;
  this.f = 32;
  this.name = null == t3 ? void 0 : t3.name;
  if (n) n.push(this);
}
m.prototype.c = function() {
  var i3 = this.S();
  try {
    if (8 & this.f) return;
    if (void 0 === this.x) return;
    var t3 = this.x();
    if ("function" == typeof t3) this.j = t3;
  } finally {
    i3();
  }
};
m.prototype.S = function() {
  if (1 & this.f) throw new Error("Cycle detected");
  this.f |= 1;
  this.f &= -9;
  p(this);
  b(this);
  v++;
  var i3 = o;
  o = this;
  return S.bind(this, i3);
};
m.prototype.N = function() {
  if (!(2 & this.f)) {
    this.f |= 2;
    this.u = h;
    h = this;
  }
};
m.prototype.d = function() {
  this.f |= 8;
  if (!(1 & this.f)) g(this);
};
m.prototype.dispose = function() {
  this.d();
};
function x(i3, t3) {
  var r3 = new m(i3, t3);
  try {
    r3.c();
  } catch (i4) {
    r3.d();
    throw i4;
  }
  var n3 = r3.d.bind(r3);
  n3[Symbol.dispose] = n3;
  return n3;
}
function E(i3) {
  return function() {
    var t3 = arguments, n3 = this;
    return r(function() {
      return f(function() {
        return i3.apply(n3, [].slice.call(t3));
      });
    });
  };
}
function C() {
  var i3 = n;
  n = [];
  return function() {
    var t3 = n;
    if (n && i3) i3 = i3.concat(n);
    n = i3;
    return t3;
  };
}
var k = function(i3, t3) {
  t3.push(i3);
  for (var r3 = "[object Object]" === Object.prototype.toString.call(i3), n3 = /* @__PURE__ */ Object.create(null), o3 = i3; o3 && o3 !== Object.prototype; o3 = r3 && Object.getPrototypeOf(o3)) {
    var f3 = Object.getOwnPropertyDescriptors(o3);
    for (var h3 in f3) if (!n3[h3]) {
      n3[h3] = true;
      var v2 = f3[h3].value;
      if ("function" == typeof v2) {
        if ("constructor" !== h3) i3[h3] = E(v2);
      } else if (o3 === i3 && "object" == typeof v2 && null !== v2 && !("brand" in v2) && t3.indexOf(v2) < 0) k(v2, t3);
    }
  }
};
function T(i3) {
  return function() {
    var t3, o3, f3 = C();
    try {
      o3 = i3.apply(void 0, [].slice.call(arguments));
    } catch (i4) {
      var h3 = n;
      n = void 0;
      if (h3) try {
        r(function() {
          for (var i5 = 0; i5 < h3.length; i5++) try {
            h3[i5].dispose();
          } catch (i6) {
          }
        });
      } catch (i5) {
      }
      throw i4;
    } finally {
      t3 = f3();
    }
    k(o3, []);
    o3[Symbol.dispose] = E(function() {
      if (t3) for (var i4 = 0; i4 < t3.length; i4++) t3[i4].dispose();
      t3 = void 0;
    });
    return o3;
  };
}

// node_modules/@preact/signals/dist/signals.module.js
var h2;
var d2;
var p2;
var m2 = "undefined" != typeof window && !!window.__PREACT_SIGNALS_DEVTOOLS__;
var _2 = [];
var g2 = [];
x(function() {
  h2 = this.N;
})();
function b2(i3, n3) {
  t2[i3] = n3.bind(null, t2[i3] || function() {
  });
}
function y2(i3) {
  if (p2) {
    var n3 = p2;
    p2 = void 0;
    n3();
  }
  p2 = i3 && i3.S();
}
function w2(i3) {
  var n3 = this, r3 = i3.data, t3 = useSignal(r3);
  t3.name = "ReactiveDom";
  t3.value = r3;
  var e3 = o2(function() {
    var i4 = n3, r4 = n3.__v;
    while (r4 = r4.__) if (r4.__c) {
      r4.__c.__$f |= 4;
      break;
    }
    var o3 = O(function() {
      var i5 = t3.value.value;
      return 0 === i5 ? 0 : true === i5 ? "" : i5 || "";
    }), e4 = O(function() {
      return !Array.isArray(o3.value) && !f2(o3.value);
    }), u4 = x(function() {
      this.N = M;
      if (e4.value) {
        var n4 = o3.value;
        if (i4.__v && i4.__v.__e && 3 === i4.__v.__e.nodeType) i4.__v.__e.data = n4;
      }
    }), c3 = n3.__$u.d;
    n3.__$u.d = function() {
      u4();
      c3.call(this);
    };
    return [e4, o3];
  }, []), u3 = e3[0], c2 = e3[1];
  return u3.value ? c2.peek() : c2.value;
}
w2.displayName = "ReactiveTextNode";
Object.defineProperties(l.prototype, { constructor: { configurable: true, value: i2(n2, null).constructor }, type: { configurable: true, value: w2 }, props: { configurable: true, get: function() {
  var i3 = this;
  return { data: { get value() {
    return i3.value;
  } } };
} }, __b: { configurable: true, value: 1 } });
b2("__b", function(i3, n3) {
  y2();
  d2 = void 0;
  if ("string" == typeof n3.type) {
    var r3, t3 = n3.props;
    for (var f3 in t3) if ("children" !== f3) {
      var o3 = t3[f3];
      if (o3 instanceof l) {
        if (!r3) n3.__np = r3 = {};
        r3[f3] = o3;
        t3[f3] = o3.peek();
      }
    }
  }
  i3(n3);
});
b2("__r", function(i3, r3) {
  i3(r3);
  if (r3.type !== n2) {
    y2();
    var t3, f3 = r3.__c;
    if (f3) {
      f3.__$f &= -2;
      if (void 0 === (t3 = f3.__$u)) f3.__$u = t3 = (function(i4, n3) {
        var r4;
        x(function() {
          r4 = this;
        }, { name: n3 });
        r4.c = i4;
        return r4;
      })(/* @__PURE__ */ (function(i4) {
        return function() {
          var n3;
          if (m2) null == (n3 = this.y) || n3.call(this);
          i4.__$f |= 1;
          i4.setState({});
        };
      })(f3), "function" == typeof r3.type ? r3.type.displayName || r3.type.name : "");
    }
    d2 = f3;
    y2(t3);
  }
});
b2("__e", function(i3, n3, r3, t3) {
  y2();
  d2 = void 0;
  i3(n3, r3, t3);
});
b2("diffed", function(i3, n3) {
  y2();
  d2 = void 0;
  var r3;
  if ("string" == typeof n3.type && (r3 = n3.__e)) {
    var t3 = n3.__np, f3 = n3.props, o3 = r3.U;
    if (o3) for (var e3 in o3) {
      var u3 = o3[e3];
      if (!(void 0 === u3 || t3 && e3 in t3)) {
        u3.d();
        o3[e3] = void 0;
      }
    }
    if (t3) {
      if (!o3) {
        o3 = {};
        r3.U = o3;
      }
      for (var a2 in t3) {
        var c2 = o3[a2], v2 = t3[a2];
        if (void 0 === c2) {
          c2 = k2(r3, a2, v2, f3);
          o3[a2] = c2;
        } else c2.o(v2, f3);
      }
    }
  }
  i3(n3);
});
function k2(i3, n3, r3, t3) {
  var f3 = n3 in i3 && void 0 === i3.ownerSVGElement, o3 = y(r3);
  return { o: function(i4, n4) {
    o3.value = i4;
    t3 = n4;
  }, d: x(function() {
    this.N = M;
    var r4 = o3.value.value;
    if (t3[n3] !== r4) {
      t3[n3] = r4;
      if (f3) i3[n3] = r4;
      else if (null != r4 && (false !== r4 || "-" === n3[4])) i3.setAttribute(n3, r4);
      else i3.removeAttribute(n3);
    }
  }) };
}
b2("unmount", function(i3, n3) {
  if ("string" == typeof n3.type) {
    var r3 = n3.__e;
    if (r3) {
      var t3 = r3.U;
      if (t3) {
        r3.U = void 0;
        for (var f3 in t3) {
          var o3 = t3[f3];
          if (o3) o3.d();
        }
      }
    }
    var e3 = n3.__np;
    if (e3) {
      var u3 = n3.props;
      for (var a2 in e3) u3[a2] = e3[a2];
    }
    n3.__np = void 0;
  } else {
    var c2 = n3.__c;
    if (c2) {
      c2.__$f |= 8;
      var v2 = c2.__$u;
      if (v2) {
        c2.__$u = void 0;
        v2.d();
      }
    }
  }
  i3(n3);
});
b2("__h", function(i3, n3, r3, t3) {
  if (t3 < 3) n3.__$f |= 2;
  i3(n3, r3, t3);
});
r2.prototype.shouldComponentUpdate = function(i3, n3) {
  if (this.__R) return true;
  var r3 = this.__$u, t3 = r3 && void 0 !== r3.s;
  for (var f3 in n3) return true;
  if (this.__f || "boolean" == typeof this.u && true === this.u) {
    var o3 = 2 & this.__$f;
    if (!(t3 || o3 || 4 & this.__$f)) return true;
    if (1 & this.__$f) return true;
  } else {
    if (!(t3 || 4 & this.__$f)) return true;
    if (3 & this.__$f) return true;
  }
  for (var e3 in i3) if ("__source" !== e3 && i3[e3] !== this.props[e3]) return true;
  for (var u3 in this.props) if (!(u3 in i3)) return true;
  return false;
};
function useSignal(i3, n3) {
  return o2(function() {
    return y(i3, n3);
  }, []);
}
function useComputed(i3, n3) {
  var r3 = e2(i3);
  r3.current = i3;
  d2.__$f |= 4;
  return o2(function() {
    return O(function() {
      return r3.current();
    }, n3);
  }, []);
}
var q = "undefined" == typeof requestAnimationFrame ? setTimeout : function(i3) {
  var n3 = function() {
    clearTimeout(r3);
    cancelAnimationFrame(t3);
    i3();
  }, r3 = setTimeout(n3, 35), t3 = requestAnimationFrame(n3);
};
var A = function(i3) {
  queueMicrotask(function() {
    queueMicrotask(i3);
  });
};
function T2() {
  r(function() {
    var i3;
    while (i3 = _2.shift()) h2.call(i3);
  });
}
function x2() {
  if (1 === _2.push(this)) (t2.requestAnimationFrame || q)(T2);
}
function F() {
  r(function() {
    var i3;
    while (i3 = g2.shift()) h2.call(i3);
  });
}
function M() {
  if (1 === g2.push(this)) (t2.requestAnimationFrame || A)(F);
}
function useSignalEffect(i3, n3) {
  var r3 = e2(i3);
  r3.current = i3;
  var t3 = d2;
  u2(function() {
    return x(function() {
      this.N = x2;
      if (!(t3 && 8 & t3.__$f)) return r3.current();
    }, n3);
  }, []);
}
function R(i3) {
  var n3 = o2(function() {
    return i3();
  }, []);
  u2(function() {
    return n3[Symbol.dispose];
  }, [n3]);
  return n3;
}
export {
  l as Signal,
  E as action,
  r as batch,
  O as computed,
  T as createModel,
  x as effect,
  y as signal,
  f as untracked,
  useComputed,
  R as useModel,
  useSignal,
  useSignalEffect
};
