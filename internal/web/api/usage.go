package api

import (
	"net/http"
	"strconv"
	"time"

	"parley/internal/call/wire"
	"parley/internal/storage/store"
)

// usagePeriod is a period of whole months and how to render its usage as items.
type usagePeriod struct {
	path     []string  // below /v3/usage
	from, to time.Time // starts of months; to is exclusive
	items    func([]store.Usage) []wire.UsageItem
}

// allUsage is the period of all months in years of four digits.
func allUsage(*request) (usagePeriod, error) {
	return usagePeriod{
		path: []string{"months"}, items: usageByMonth,
		from: time.Date(1970, 1, 1, 0, 0, 0, 0, time.UTC), to: time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC),
	}, nil
}

func monthlyUsage(r *request) (usagePeriod, error) { return usageOf(r, "monthly", usageByMonth) }

func dailyUsage(r *request) (usagePeriod, error) { return usageOf(r, "daily", usageByDay) }

// usageOf parses the month of a path.
func usageOf(r *request, kind string, items func([]store.Usage) []wire.UsageItem) (usagePeriod, error) {
	year, month := r.PathValue("year"), r.PathValue("month")
	y, err := strconv.Atoi(year)
	m, err2 := strconv.Atoi(month)
	if err != nil || err2 != nil || y < 1970 || y > 9998 || m < 1 || m > 12 {
		return usagePeriod{}, parameterFault(
			"%.20q/%.20q is not a month; use a year of four digits and a month from 1 to 12, such as 2026/11", year, month)
	}
	from := time.Date(y, time.Month(m), 1, 0, 0, 0, 0, time.UTC)
	return usagePeriod{path: []string{kind, strconv.Itoa(y), strconv.Itoa(m)}, from: from, to: from.AddDate(0, 1, 0),
		items: items}, nil
}

// usageByMonth sums days up to months.
func usageByMonth(days []store.Usage) []wire.UsageItem {
	var items []wire.UsageItem
	for first := 0; first < len(days); {
		start, next := days[first].Day, first
		total := store.Usage{Day: start}
		for ; next < len(days) && days[next].Day.Format("200601") == start.Format("200601"); next++ {
			total.Recognized += days[next].Recognized
			total.Given += days[next].Given
		}
		items, first = append(items, products(total, wire.NewUsageOfMonth)...), next
	}
	return items
}

func usageByDay(days []store.Usage) []wire.UsageItem {
	var items []wire.UsageItem
	for _, d := range days {
		items = append(items, products(d, wire.NewUsageOfDay)...)
	}
	return items
}

// products returns an item for each product used.
func products(
	u store.Usage, item func(time.Time, wire.Product, time.Duration) wire.UsageItem,
) (items []wire.UsageItem) {
	if u.Recognized > 0 {
		items = append(items, item(u.Day, wire.Recognition, u.Recognized))
	}
	if u.Given > 0 {
		items = append(items, item(u.Day, wire.Given, u.Given))
	}
	return items
}

// usage reads the account's usage of a period.
func (s *Server) usage(r *request, read func(*request) (usagePeriod, error)) (wire.Usage, error) {
	period, err := read(r)
	if err != nil {
		return wire.Usage{}, err
	}
	days, err := store.Read(r.Context(), s.Store, func(tx *store.Tx) ([]store.Usage, error) {
		return tx.Usage(r.who.Account.ID, period.from, period.to)
	})
	return wire.NewUsage(r.who.Account.ID, period.items(days), period.path...), err
}

// usageJSON answers with the usage of a period.
func usageJSON(read func(*request) (usagePeriod, error)) handler {
	return asJSON(func(s *Server, r *request) (any, error) { return s.usage(r, read) })
}

// usageCSV answers with the usage of a period as a file of comma-separated values.
func usageCSV(name string, read func(*request) (usagePeriod, error)) handler {
	return func(s *Server, w http.ResponseWriter, r *request) error {
		used, err := s.usage(r, read)
		if err != nil {
			return err
		}
		attach(w, "usage-"+name+"-"+r.PathValue("year")+"-"+r.PathValue("month")+".csv")
		write(w, http.StatusOK, "text/csv; charset=utf-8", used.CSV())
		return nil
	}
}
