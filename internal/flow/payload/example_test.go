package payload_test

import (
	"fmt"

	"parley/internal/flow/payload"
	"parley/internal/words/media"
)

func ExampleView_Locations() {
	v := payload.View{Media: media.Media{ID: "m1"}, Streams: []media.Stream{{Name: media.Original}}}
	for _, s := range v.Locations(func(m *media.Media, stream string) string {
		return "https://calls.example.com/v3/media/" + string(m.ID) + "/streams/" + stream
	}) {
		fmt.Println(s.Name, s.Location)
	}
	// Output: original https://calls.example.com/v3/media/m1/streams/original
}
