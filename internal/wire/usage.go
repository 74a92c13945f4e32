package wire

import (
	"bytes"
	"encoding/csv"
	"strconv"
	"time"

	"parley/internal/account"
)

// What is counted, and in what.
const (
	product     = "Speech recognition"
	billingUnit = "minutes"
)

// Usage is how much of an account's audio was processed, in months or in the days of one.
type Usage struct {
	Links     Links       `json:"_links"`
	AccountID account.ID  `json:"accountId"`
	Months    []UsageItem `json:"months"`
}

// UsageItem is what was used in one month or on one day.
type UsageItem struct {
	Year           int     `json:"year"`
	Month          int     `json:"month"`
	MonthName      string  `json:"monthName"`
	MonthDay       int     `json:"monthDay,omitempty"` // of a day
	ProductName    string  `json:"productName"`
	BilledQuantity float64 `json:"billedQuantity"` // in billing units, to the thousandth
	BillingUnit    string  `json:"billingUnit"`
}

// NewUsage returns a list of what was used. Path names it below /v3/usage.
func NewUsage(owner account.ID, items []UsageItem, path ...string) Usage {
	if items == nil {
		items = []UsageItem{}
	}
	return Usage{Links: self(append([]string{"usage"}, path...)...), AccountID: owner, Months: items}
}

// NewUsageOfMonth returns what was used in the month that starts at a time.
func NewUsageOfMonth(start time.Time, processed time.Duration) UsageItem {
	return UsageItem{
		Year: start.Year(), Month: int(start.Month()), MonthName: start.Month().String(),
		ProductName: product, BilledQuantity: round(processed.Minutes(), 3), BillingUnit: billingUnit,
	}
}

// NewUsageOfDay returns what was used on the day that starts at a time.
func NewUsageOfDay(start time.Time, processed time.Duration) UsageItem {
	item := NewUsageOfMonth(start, processed)
	item.MonthDay = start.Day()
	return item
}

// CSV returns the list as comma-separated values (RFC 4180) with a line of names.
func (u Usage) CSV() []byte {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	w.UseCRLF = true
	w.Write([]string{"accountId", "year", "month", "monthName", "monthDay", "productName", "billedQuantity", "billingUnit"})
	for _, i := range u.Months {
		day := ""
		if i.MonthDay > 0 {
			day = strconv.Itoa(i.MonthDay)
		}
		w.Write([]string{string(u.AccountID), strconv.Itoa(i.Year), strconv.Itoa(i.Month), i.MonthName, day,
			i.ProductName, strconv.FormatFloat(i.BilledQuantity, 'f', -1, 64), i.BillingUnit})
	}
	w.Flush() // into memory
	return b.Bytes()
}
