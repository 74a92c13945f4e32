// Package memory counts the memory held by work under a context, so that it can be bounded. Code that loads much data
// (package store, package record) reports it before or while loading, so that the request can be refused in time.
//
// It sets no bounds (package api does) and does not count work without a Meter.
package memory

import (
	"context"
	"reflect"
	"sync/atomic"
)

// Meter counts held bytes. It must be safe for concurrent use.
type Meter interface {
	Take(bytes int64) error // or returns an error
	Give(bytes int64)
}

type contextKey struct{}

// With returns a context with a meter.
func With(ctx context.Context, m Meter) context.Context {
	return context.WithValue(ctx, contextKey{}, m)
}

// Take counts bytes as held by the work under a context. If ctx has ended, it returns the cause: work that needs memory
// ends with its client.
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

// Uncounted returns a context for work that serves all accounts, whichever request started it.
func Uncounted(ctx context.Context) context.Context { return context.WithValue(ctx, contextKey{}, nil) }

// Give counts bytes as released.
func Give(ctx context.Context, bytes int64) {
	if m, ok := ctx.Value(contextKey{}).(Meter); ok && bytes > 0 {
		m.Give(bytes)
	}
}

// Counter returns a function for code without a context: it takes positive amounts and gives back negative ones.
func Counter(ctx context.Context) func(bytes int64) error {
	return func(bytes int64) error {
		if bytes < 0 {
			Give(ctx, -bytes)
			return nil
		}
		return Take(ctx, bytes)
	}
}

// Part returns a context for a part of the work that retains no memory: end gives back all that was taken under it.
func Part(ctx context.Context) (part context.Context, end func()) {
	whole, ok := ctx.Value(contextKey{}).(Meter)
	if !ok {
		return ctx, func() {}
	}
	p := &partMeter{of: whole}
	return With(ctx, p), func() { whole.Give(p.held.Swap(0)) }
}

type partMeter struct {
	of   Meter
	held atomic.Int64
}

// Take implements Meter.
func (p *partMeter) Take(bytes int64) error {
	err := p.of.Take(bytes)
	if err == nil {
		p.held.Add(bytes)
	}
	return err
}

// Give implements Meter.
func (p *partMeter) Give(bytes int64) {
	p.of.Give(bytes)
	p.held.Add(-bytes)
}

// Size returns the number of bytes referenced by a value: lists, strings, targets of pointers. It visits all of them,
// and counts shared data once per reference.
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

// flat reports whether values of a kind reference no other memory.
func flat(k reflect.Kind) bool { return k < reflect.Array }
