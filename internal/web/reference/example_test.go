package reference_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"

	"parley/internal/web/reference"
)

func ExamplePage() {
	answer := httptest.NewRecorder()
	reference.Page(answer, httptest.NewRequest(http.MethodGet, "/docs", nil))
	fmt.Println(answer.Code, answer.Header().Get("Content-Type"))
	// Output: 200 text/html; charset=utf-8
}
