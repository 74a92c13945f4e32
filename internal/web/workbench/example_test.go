package workbench_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"

	"parley/internal/web/workbench"
)

func ExamplePage() {
	answer := httptest.NewRecorder()
	workbench.Page(answer, httptest.NewRequest(http.MethodGet, "/ui/", nil))
	fmt.Println(answer.Code, answer.Header().Get("Content-Type"))
	// Output: 200 text/html; charset=utf-8
}
