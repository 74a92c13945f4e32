package detect

import "strconv"

// luhn reports whether the last digit is the check digit of the others (ISO/IEC 7812-1, annex B).
func luhn(digits string) bool {
	sum := 0
	for i := range len(digits) {
		d := int(digits[len(digits)-1-i] - '0')
		if i%2 == 1 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	return sum%10 == 0
}

// issued reports whether digits have a prefix and a length of an issuer of payment cards: American Express 34, 37;
// Diners Club 300–305, 309, 36, 38, 39; Visa 4; Mastercard 51–55, 2221–2720; Discover 6011, 644–649, 65, 622126–622925;
// UnionPay 62; JCB 3528–3589, 1800, 2131; Maestro 50, 56–58, 6.
func issued(digits string) bool {
	n := len(digits)
	if n < 12 || n > 19 {
		return false
	}
	two, three, four := number(digits[:2]), number(digits[:3]), number(digits[:4])
	switch {
	case two == 34 || two == 37, four == 1800 || four == 2131:
		return n == 15
	case three >= 300 && three <= 305 || three == 309 || two == 36 || two == 38 || two == 39:
		return n == 14 || n == 16
	case four >= 3528 && four <= 3589:
		return n >= 16
	case digits[0] == '4':
		return n == 13 || n == 16 || n == 19
	case two >= 51 && two <= 55, four >= 2221 && four <= 2720:
		return n == 16
	case two == 50, two >= 56 && two <= 58, digits[0] == '6':
		return true
	}
	return false
}

// valid reports whether digits are a valid number of a payment card.
func valid(digits string) bool { return issued(digits) && luhn(digits) }

// securityNumber reports whether nine digits are a possible social security number: the area is not 000, 666 or 900 and
// above, the group is not 00, the serial number is not 0000 (Social Security Administration, POMS RM 10201.035).
func securityNumber(digits string) bool {
	return len(digits) == 9 && digits[:3] != "000" && digits[:3] != "666" && digits[0] != '9' && digits[3:5] != "00" &&
		digits[5:] != "0000"
}

// number returns the value of a short string of digits.
func number(digits string) int {
	n, _ := strconv.Atoi(digits)
	return n
}
