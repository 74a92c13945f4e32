package wire

import (
	"bytes"
	"encoding/csv"
	"strconv"
	"time"

	"parley/internal/words/account"
)

// Product is what is counted.
type Product string

// The products.
const (
	Recognition Product = "Speech recognition" // recordings that a recogniser listened to
	Given       Product = "Given transcripts"  // recordings that came with their words and times
)

// billingUnit is what it is counted in.
const billingUnit = "minutes"

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
	MonthDay       string  `json:"monthDay,omitempty"` // of a day
	ProductName    Product `json:"productName"`
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

// NewUsageOfMonth returns what was used of a product in the month that starts at a time.
func NewUsageOfMonth(start time.Time, product Product, processed time.Duration) UsageItem {
	return UsageItem{
		Year: start.Year(), Month: int(start.Month()), MonthName: start.Month().String(),
		ProductName: product, BilledQuantity: round(processed.Minutes(), 3), BillingUnit: billingUnit,
	}
}

// NewUsageOfDay returns what was used of a product on the day that starts at a time.
func NewUsageOfDay(start time.Time, product Product, processed time.Duration) UsageItem {
	item := NewUsageOfMonth(start, product, processed)
	item.MonthDay = strconv.Itoa(start.Day())
	return item
}

// CSV returns the list as comma-separated values (RFC 4180) with a line of names.
func (u Usage) CSV() []byte {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	w.UseCRLF = true
	w.Write([]string{"accountId", "year", "month", "monthName", "monthDay", "productName", "billedQuantity",
		"billingUnit"})
	for _, i := range u.Months {
		w.Write([]string{string(u.AccountID), strconv.Itoa(i.Year), strconv.Itoa(i.Month), i.MonthName, i.MonthDay,
			string(i.ProductName), strconv.FormatFloat(i.BilledQuantity, 'f', -1, 64), i.BillingUnit})
	}
	w.Flush() // into memory
	return b.Bytes()
}
