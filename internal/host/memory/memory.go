// Package memory counts the memory that work under a context holds, for whoever bounds it. What loads much (package
// store, package record) says so before it does, or as it goes, and what asked for it is refused in time.
//
// It sets no bounds (package api does) and counts nothing of work that nobody bounds.
package memory

import (
	"context"
	"reflect"
	"sync/atomic"
)

// Meter counts bytes that are held. It may be used by many goroutines.
type Meter interface {
	Take(bytes int64) error // or refuses them
	Give(bytes int64)
}

type contextKey struct{}

// With returns a context under which a meter counts.
func With(ctx context.Context, m Meter) context.Context {
	return context.WithValue(ctx, contextKey{}, m)
}

// Take counts bytes as held by the work under a context. It returns the cause of the end of ctx, once that has come:
// work that asks for memory ends with its client.
func Take(ctx context.Context, bytes int64) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if m, ok := ctx.Value(contextKey{}).(Meter); ok && bytes > 0 {
		return m.Take(bytes)
	}
	return nil
}

// Counted reports whether the memory of the work under a context is counted.
func Counted(ctx context.Context) bool {
	_, ok := ctx.Value(contextKey{}).(Meter)
	return ok
}

// Uncounted returns a context for work that is done for everybody, whoever has begun it.
func Uncounted(ctx context.Context) context.Context { return context.WithValue(ctx, contextKey{}, nil) }

// Give counts bytes as not held any more.
func Give(ctx context.Context, bytes int64) {
	if m, ok := ctx.Value(contextKey{}).(Meter); ok && bytes > 0 {
		m.Give(bytes)
	}
}

// Counter returns what counts for the work under a context, as functions take it that know no context: it gives back
// what is negative.
func Counter(ctx context.Context) func(bytes int64) error {
	return func(bytes int64) error {
		if bytes < 0 {
			Give(ctx, -bytes)
			return nil
		}
		return Take(ctx, bytes)
	}
}

// Part returns a context for a part of the work that keeps nothing: end gives back all that was taken under it.
func Part(ctx context.Context) (part context.Context, end func()) {
	whole, ok := ctx.Value(contextKey{}).(Meter)
	if !ok {
		return ctx, func() {}
	}
	p := &partly{of: whole}
	return With(ctx, p), func() { whole.Give(p.held.Swap(0)) }
}

// partly is the meter of a part.
type partly struct {
	of   Meter
	held atomic.Int64
}

// Take implements Meter.
func (p *partly) Take(bytes int64) error {
	err := p.of.Take(bytes)
	if err == nil {
		p.held.Add(bytes)
	}
	return err
}

// Give implements Meter.
func (p *partly) Give(bytes int64) {
	p.of.Give(bytes)
	p.held.Add(-bytes)
}

// Size is how many bytes lie behind a value: lists, texts, what pointers lead to. It looks at all of them, and counts
// what is shared each time.
func Size(v any) int64 { return behind(reflect.ValueOf(v)) }

func behind(v reflect.Value) (bytes int64) {
	switch v.Kind() {
	case reflect.String:
		return int64(v.Len())
	case reflect.Slice:
		bytes = int64(v.Cap()) * int64(v.Type().Elem().Size())
		if flat(v.Type().Elem().Kind()) {
			return bytes
		}
		for i := range v.Len() {
			bytes += behind(v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			bytes += behind(v.Field(i))
		}
	case reflect.Map:
		for each := v.MapRange(); each.Next(); {
			bytes += 2*int64(v.Type().Key().Size()+v.Type().Elem().Size()) + behind(each.Key()) + behind(each.Value())
		}
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			bytes = int64(v.Elem().Type().Size()) + behind(v.Elem())
		}
	}
	return bytes
}

// flat reports whether nothing lies behind values of a kind.
func flat(k reflect.Kind) bool { return k < reflect.Array }
