import { Heading } from "kit";

export default function Page() {
	return <Heading title="dashboards" />;
}
