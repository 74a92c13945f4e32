package wire

import (
	"bytes"
	"encoding/csv"
	"strconv"
	"time"

	"parley/internal/words/account"
)

// Product is a unit of usage accounting.
type Product string

// The products.
const (
	Recognition Product = "Speech recognition" // recordings with speech recognition
	Given       Product = "Given transcripts"  // recordings supplied with words and times
)

// billingUnit is the unit of BilledQuantity.
const billingUnit = "minutes"

// Usage is the amount of audio processed for an account, by month or by day of one month.
type Usage struct {
	Links     Links       `json:"_links"`
	AccountID account.ID  `json:"accountId"`
	Months    []UsageItem `json:"months"`
}

// UsageItem is the usage of one month or day.
type UsageItem struct {
	Year           int     `json:"year"`
	Month          int     `json:"month"`
	MonthName      string  `json:"monthName"`
	MonthDay       string  `json:"monthDay,omitempty"` // for days only
	ProductName    Product `json:"productName"`
	BilledQuantity float64 `json:"billedQuantity"` // in billing units, rounded to thousandths
	BillingUnit    string  `json:"billingUnit"`
}

// NewUsage returns a list of usage items. path is its path below /v3/usage.
func NewUsage(owner account.ID, items []UsageItem, path ...string) Usage {
	if items == nil {
		items = []UsageItem{}
	}
	return Usage{Links: self(append([]string{"usage"}, path...)...), AccountID: owner, Months: items}
}

// NewUsageOfMonth returns the usage of a product in the month that starts at start.
func NewUsageOfMonth(start time.Time, product Product, processed time.Duration) UsageItem {
	return UsageItem{
		Year: start.Year(), Month: int(start.Month()), MonthName: start.Month().String(),
		ProductName: product, BilledQuantity: round(processed.Minutes(), 3), BillingUnit: billingUnit,
	}
}

// NewUsageOfDay returns the usage of a product on the day that starts at start.
func NewUsageOfDay(start time.Time, product Product, processed time.Duration) UsageItem {
	item := NewUsageOfMonth(start, product, processed)
	item.MonthDay = strconv.Itoa(start.Day())
	return item
}

// CSV returns the list as comma-separated values (RFC 4180) with a header line.
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
	w.Flush() // writes to memory, so it cannot fail
	return b.Bytes()
}
