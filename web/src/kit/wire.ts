// Made from api/openapi.yaml by make web. Do not edit.

export type Accepted = {
	_links: Links;
	dateCreated: Timestamp;
	mediaContentType?: string;
	mediaId: MediaId;
	metadata?: Metadata;
	status: Status;
};

export type Activity = {
	occurrences: {
		e: Milliseconds;
		s: Milliseconds;
	}[];
	speakerName: string;
};

export type AlternateFormat = {
	charset: "utf-8";
	contentEncoding: "Base64";
	contentType: string;
	data: string;
	format: "text" | "srt" | "webvtt" | "dfxp";
};

export type AnalyticSchema = {
	_links: Links;
	fields: {
		defined?: boolean;
		example?: unknown;
		field: string;
		type: "varchar" | "integer" | "double" | "boolean" | "timestamp";
	}[];
};

export type Answer = {
	hits: Match[][];
	limit: number;
	notIndexed?: number;
	offset: number;
	plan?: {
		calls: number;
		matched: number;
		query: string;
		segments: number;
		steps: {
			calls: number;
			step: "candidates" | "fields" | "checked";
			what?: string;
		}[];
		timeMillis: number;
	};
	queryTimeMillis: number;
	rows: Record<string, unknown>[];
	totalIsLowerBound?: boolean;
	totalResults: number;
	warnings?: Message[];
};

export type Apply = {
	_links: Links;
	calls: number;
	categoryName: string;
	dateFinished?: string;
	dateStarted: string;
	done: number;
	matched?: number;
	percent: number;
	query: string;
	status: "running" | "finished" | "failed";
};

export type Audit = {
	_links: Links;
	events: Event[];
	pagination: {
		limit: number;
		sortOrder: {
			direction: "asc" | "desc";
			field: "time";
		}[];
	};
};

export type AuditAction = "read" | "create" | "change" | "delete";

export type CallDetails = {
	agent?: Person;
	agentManager?: Person;
	agentSupervisor?: Person;
	ani?: string | null;
	callDirection?: string | null;
	callStartTime?: string | null;
	caller?: Person;
	dnis?: string | null;
} | null;

export type Callback = {
	_links: Links;
	attempts: number;
	callbackId: string;
	dateBegan: Timestamp;
	dateDone?: Timestamp;
	endpoint: string;
	format?: string;
	include?: string[];
	method: "POST" | "PUT";
	nextAttempt?: Timestamp;
	status: "pending" | "delivered" | "failed";
	stream?: string;
	tries: CallbackTry[];
	type: "analytics" | "transcript" | "media";
};

export type CallbackRetry = {
	_links: Links;
	callbacks: {
		endpoint?: string;
		since?: Timestamp;
		status: "failed" | "delivered" | "pending";
	};
	dateFinished?: Timestamp;
	dateStarted: Timestamp;
	delivered: number;
	done: number;
	failed: number;
	pending: number;
	percent: number;
	retryId: string;
	status: "running" | "finished" | "failed";
	total?: number;
};

export type CallbackRetryRequest = {
	endpoint?: string;
	since?: string;
	status?: "failed" | "delivered" | "pending";
};

export type CallbackSecret = {
	_links: Links;
	dateCreated: Timestamp;
	secret?: string;
	secretId: string;
};

export type CallbackSecrets = {
	_links: Links;
	secrets: CallbackSecret[];
};

export type CallbackTry = {
	answer?: string;
	answerEncoding?: "Base64";
	attempt: number;
	date: Timestamp;
	duration: number;
	error?: string;
	status?: number;
};

export type Callbacks = {
	_links: Links;
	callbacks: Callback[];
	mediaId: MediaId;
};

export type Categories = {
	_links: Links;
	categories: Category[];
};

export type Category = {
	_links: Links;
	categoryDescription: string;
	categoryName: string;
	collectionName?: string;
	dateCreated: string;
	dateModified: string;
	notes?: string;
	query: string;
	tags?: string[];
	version?: string;
};

export type CategoryContent = {
	categoryDescription?: string;
	categoryName?: string;
	collectionName?: string;
	notes?: string;
	query: string;
	tags?: string[];
	version?: string;
};

export type CategoryNames = {
	_links: Links;
	categories: {
		categoryDescription: string;
		categoryName: string;
	}[];
};

export type CategoryResult = {
	categoryMatches?: {
		occurrences: {
			e: Milliseconds;
			exact: string;
			s: Milliseconds;
		}[];
		speakerName: string;
	}[];
	categoryName: string;
	categoryValue: 0 | 1;
};

export type Change = {
	_links?: Links;
	dateCreated?: Timestamp;
	dateFinished?: Timestamp;
	deleted?: boolean;
	expiresOn?: Timestamp;
	formatVersion?: string;
	length?: Milliseconds;
	mediaContentType?: string;
	mediaId: MediaId;
	metadata?: Metadata;
	status?: Status;
	timeToLiveInSeconds?: number;
};

export type Changes = {
	_links: Links;
	cursor: string;
	media: Change[];
	more: boolean;
	reload?: boolean;
};

export type Channel = {
	ignore?: boolean;
	speakerName?: string;
	speakerRole?: string;
};

export type Check = {
	outline?: Outline;
	printed?: string;
	problems: Problem[];
	valid: boolean;
};

export type CheckRequest = {
	category?: boolean;
	condition?: string;
	query?: string;
};

export type Classifier = {
	classifierDisplayName: string;
	classifierId: string;
	classifierName: string;
	classifierType: "binary" | "multiclass";
	classifierVersion: string;
	predictedClass: number;
	predictedClassLabel: string;
	predictionScore: number;
};

export type ClassifierDefinition = {
	_links: Links;
	builtIn: boolean;
	classes: {
		classLabel: string;
		classValue: number;
	}[];
	classifierDisplayName: string;
	classifierId: string;
	classifierName: string;
	classifierType?: "binary" | "multiclass";
	classifierVersion: string;
	dateCreated?: string;
	dateFinished?: string;
	errors?: Problem[];
	parameters: ParameterDefinition[];
	percent: number;
	quality?: ClassifierQuality;
	status: "training" | "ready" | "failed";
	trainingTexts?: number;
};

export type ClassifierDefinitions = {
	_links: Links;
	classifiers: ClassifierDefinition[];
};

export type ClassifierQuality = {
	accuracy: number;
	calibrationError: number;
	classes: {
		f1: number;
		precision: number;
		predictedClassLabel: string;
		recall: number;
		texts: number;
	}[];
	folds: number;
	logLoss: number;
	macroF1: number;
};

export type Configuration = {
	additionalSpeechModels?: Record<string, unknown>[];
	categories?: {
		allCategories?: boolean;
		categoryName?: string;
	}[];
	conversation?: {
		verbNounPairsEnabled?: boolean;
	};
	encryption?: {
		publicKeyId?: string;
	};
	entity?: {
		enableEntityExtraction?: boolean;
	};
	ingest?: {
		allowDeferredProcessing?: boolean;
		channels?: Channel[];
		speakerName?: string;
		speakerRole?: string;
		stereo?: {
			left?: Channel;
			right?: Channel;
		};
		tracks?: {
			channels?: Channel[];
			speakerName?: string;
			speakerRole?: string;
			trackIndex?: 0;
		}[];
	};
	knowledge?: {
		enableDiscovery?: boolean;
		enableExternalDataSources?: boolean;
	};
	metrics?: {
		metricGroupName?: "overtalk" | "sentiment" | "talk-style-tone-and-volume" | "talk-time-and-rate";
	}[];
	prediction?: {
		classifiers?: {
			classifierId?: string;
			classifierName?: string;
			parameters?: Parameters;
			version?: string;
		}[];
		detectors?: {
			detectorId?: string;
			detectorName?: string;
			parameters?: Parameters;
			redactor?: {
				audio?: {
					gain?: number;
					tone?: number;
				};
				transcript?: {
					replacement?: string;
				};
			};
			version?: string;
		}[];
	};
	priority?: "high" | "normal" | "low";
	publish?: {
		audioTranscode?: {
			codec?: "pcm" | "mp3" | "flac" | "opus" | "vorbis";
			fileFormat?: "wav" | "mp3" | "flac" | "opus" | "ogg";
			onlyIfRedacted?: boolean;
		};
		callbacks?: {
			format?: "json" | "text" | "srt" | "webvtt" | "dfxp";
			include?: ("metadata" | "transcript" | "knowledge" | "prediction" | "spotting" | "streams" | "metrics" | "speakerSentiments" | "conversation" | "categories" | "messages")[];
			method?: "POST" | "PUT";
			prependFolder?: unknown;
			role?: unknown;
			stream?: "original" | "redacted-audio";
			type?: "analytics" | "transcript" | "media";
			url?: string;
		}[];
		enableAnalyticIndexing?: boolean | "true" | "false";
	};
	searchability?: {
		searchable?: boolean;
	};
	speakerSentiments?: boolean;
	speechModel?: {
		extensions?: string[];
		features?: ("advancedPunctuation" | "voiceFeatures" | "diarization")[];
		language?: string;
		model?: string;
		version?: string;
	};
	spotting?: {
		groups?: {
			groupName?: string;
		}[];
	};
	timeToLiveInSeconds?: number;
	transcript?: {
		contentFiltering?: {
			enableProfanityFiltering?: boolean;
		};
		formatting?: {
			enableNumberFormatting?: boolean;
		};
	};
	vocabularies?: {
		scripts?: VocabularyScripts;
		terms?: VocabularyTerms;
		vocabularyName?: string;
	}[];
};

export type Conversation = {
	speakerVerbNounPairs: {
		speakerName: string;
		verbNounPairs: {
			e: Milliseconds;
			noun: string;
			nounNeg?: string;
			question?: boolean;
			s: Milliseconds;
			verb: string;
			verbNeg?: string;
		}[];
	}[];
};

export type Dashboard = {
	_links: Links;
	builtin?: boolean;
	dashboardDescription?: string;
	dashboardName: string;
	dateCreated?: string;
	dateModified?: string;
	tiles: {
		chart: "bars" | "lines" | "number" | "table";
		statement: string;
		title?: string;
		view?: View;
		width: number;
	}[];
	title?: string;
};

export type DashboardContent = {
	_links?: Links;
	builtin?: boolean;
	dashboardDescription?: string;
	dashboardName?: string;
	dateCreated?: string;
	dateModified?: string;
	tiles: Tile[];
	title?: string;
};

export type Dashboards = {
	_links: Links;
	dashboards: Dashboard[];
};

export type Deliveries = {
	_links: Links;
	callbacks: DeliverySummary[];
};

export type DeliverySummary = {
	_links: Links;
	attempts: number;
	callbackId: string;
	dateBegan: Timestamp;
	dateDone?: Timestamp;
	endpoint: string;
	format?: string;
	include?: string[];
	lastTry?: CallbackTry;
	mediaId: MediaId;
	method: "POST" | "PUT";
	nextAttempt?: Timestamp;
	status: "pending" | "delivered" | "failed";
	stream?: string;
	tryCount: number;
	type: "analytics" | "transcript" | "media";
};

export type Detector = {
	detections: {
		detectedSegments: {
			occurrences: {
				e: Milliseconds;
				s: Milliseconds;
			}[];
			speakerName: string;
		}[];
		detectorClass: number;
		detectorClassLabel: string;
	}[];
	detectorDisplayName: string;
	detectorId: string;
	detectorName: string;
	detectorType: string;
	detectorVersion: string;
};

export type DetectorDefinition = {
	_links: Links;
	classes: {
		classLabel: string;
		classValue: number;
	}[];
	detectorDisplayName: string;
	detectorId: string;
	detectorName: string;
	detectorType: string;
	detectorVersion: string;
	parameters: ParameterDefinition[];
};

export type DetectorDefinitions = {
	_links: Links;
	detectors: DetectorDefinition[];
};

export type Distributions = {
	_links: Links;
	calls: number;
	distributions: {
		calls: number;
		field: string;
		quantiles: number[];
	}[];
	notIndexed?: number;
	queryTimeMillis: number;
	warnings?: Message[];
};

export type Encryption = {
	publicKeyHash: string;
	publicKeyId: string;
	publishKeyId: string;
};

export type Endpoints = {
	_links: Links;
	endpoints: {
		endpoint: string;
		failingSince: Timestamp;
		failures: number;
		lastTry: CallbackTry;
	}[];
};

export type Entity = {
	e: Milliseconds;
	formattedText?: string;
	money?: {
		centi: number;
		whole: number;
	};
	s: Milliseconds;
	speakerName?: string;
	text: string;
	type: "location" | "person" | "organization" | "money" | "number" | "phone" | "time" | "date";
};

export type Event = {
	action: AuditAction;
	by: "token" | "signedUrl" | "commandLine" | "timeToLive";
	code?: number;
	id: string;
	mediaId?: MediaId;
	name?: string;
	object: string;
	outcome: "done" | "refused" | "failed";
	reference?: string;
	remoteAddress?: string;
	sessionId?: string;
	time: Timestamp;
	tokenId?: string;
};

export type Exploration = {
	calls: number;
	facets?: Facet[];
	histogram?: {
		buckets: {
			calls: number;
			from: string;
			until: string;
		}[];
		interval: "hour" | "day" | "week" | "month";
		zone: string;
	};
	next?: string;
	notIndexed?: number;
	queryTimeMillis: number;
	rows?: ExploredRow[];
	totalIsLowerBound?: boolean;
	totalResults?: number;
	warnings?: Message[];
};

export type ExplorationRequest = {
	before?: string;
	facetLimit?: number;
	facets?: string[];
	from?: string;
	include?: ("rows" | "total" | "facets" | "histogram")[];
	interval?: "hour" | "day" | "week" | "month";
	limit?: number;
	until?: string;
	where?: string;
	words?: string;
	zone?: string;
};

export type ExploredRow = {
	_links: Links;
	categories?: string[];
	dateCreated: string;
	externalId?: string;
	hit?: Match;
	hitCount?: number;
	language?: string;
	length: number;
	mediaId: string;
	metrics?: Record<string, number>;
	speakers?: string[];
	title?: string;
};

export type Facet = {
	field: string;
	otherCalls: number;
	otherValues: number;
	values: {
		calls: number;
		condition: string;
		from?: number;
		to?: number;
		value?: unknown;
	}[];
	withoutValue: number;
};

export type Failure = {
	errors: Problem[];
	reference: string;
	status: number;
	warnings: Message[];
};

export type FieldValues = {
	_links: Links;
	field: string;
	notIndexed?: number;
	otherCalls: number;
	otherValues: number;
	values: {
		calls: number;
		condition: string;
		value: unknown;
	}[];
	warnings?: Message[];
	withoutValue: number;
};

export type Group = {
	_links: Links;
	groupName: string;
	keywords: Keywords;
};

export type GroupContent = {
	groupName?: string;
	keywords?: Keywords;
};

export type Groups = {
	_links: Links;
	groups: Group[];
};

export type Health = {
	checks?: {
		ageInSeconds?: number;
		name: string;
		problem?: string;
		ready: boolean;
		required: boolean;
		state: "pending" | "ok" | "failed";
		waiting?: number;
	}[];
	status: "ok" | "ready" | "not ready";
	version: string;
};

export type Job = {
	jobId: string;
	mediaId: MediaId;
	progress: Progress;
	status: Status;
};

export type JobStatus = "waiting" | "running" | "dead";

export type Key = {
	_links: Links;
	bearerToken?: string;
	description?: string;
	ephemeral?: boolean;
	expirationDate?: Timestamp;
	expired: boolean;
	id: string;
	issued: Timestamp;
	lastSix: string;
	lastUsed?: Timestamp;
	scope: string;
};

export type KeyRequest = {
	description?: string;
	ephemeral?: boolean;
	expirationDate?: string;
	scope?: string;
	ttlMillis?: number;
};

export type Keys = {
	_links: Links;
	keys: Key[];
};

export type Keyword = {
	keyword: string;
	mentions: {
		occurrences: {
			e: number;
			exact: string;
			s: number;
		}[];
		speakerName: string;
	}[];
	relevance: number;
};

export type Keywords = string[];

export type Knowledge = {
	keywords: Keyword[];
	topics: {
		keywords: Keyword[];
		relevance: number;
		subTopics: Subtopic[];
		subtopics: Subtopic[];
		topicName: string;
	}[];
};

export type Limits = {
	_links: Links;
	definitions?: number;
	recordingLength?: Milliseconds;
	requestMemory?: number;
	requests: {
		atOnce?: number;
		perSecond?: number;
		perSecondAndKey?: number;
	};
	settings: {
		scoreAsNumber: boolean;
		timeToLiveInSeconds?: number;
		version: string;
	};
	storage: {
		bytes: number;
		limit?: number;
	};
	uploadBytes?: number;
};

export type Link = {
	href: string;
};

export type Links = Record<string, Link>;

export type Match = {
	conditions: string[];
	fieldValues: MatchPlace;
	score: number;
};

export type MatchPlace = {
	after?: string;
	before?: string;
	endMs: number;
	line: number;
	speaker: string;
	startMs: number;
	startRatio: number;
	text: string;
};

export type Media = {
	_job?: Job;
	_links: Links;
	accountId: string;
	accountName: string;
	categories?: CategoryResult[];
	conversation?: Conversation;
	dateCreated: Timestamp;
	dateFinished?: Timestamp;
	encryption?: Encryption;
	entities?: Entity[];
	errors?: Problem[];
	expiresOn?: Timestamp;
	formatVersion: string;
	interactionType?: "speech";
	knowledge?: Knowledge;
	length?: Milliseconds;
	mediaContentType?: string;
	mediaId: MediaId;
	metadata?: Metadata;
	metrics?: MetricGroup[];
	prediction?: Prediction;
	speakerSentiments?: SpeakerSentiment[];
	spotting?: Spotting;
	status: Status;
	streams?: Stream[];
	timeToLiveInSeconds?: number;
	transcript?: Transcript;
	warnings?: Message[];
};

export type MediaId = string;

export type MediaList = {
	_links: Links;
	media: Summary[];
	pagination?: {
		limit: number;
		sortOrder: {
			direction: "asc" | "desc";
			field: "dateCreated";
		}[];
	};
	warnings?: Message[];
};

export type Message = {
	code: number;
	message: string;
};

export type Metadata = {
	callDetails?: CallDetails;
	description?: string | null;
	extended?: Record<string, unknown> | null;
	externalId?: string | null;
	externalVersion?: string | null;
	title?: string | null;
};

export type MetadataResource = {
	_links: Links;
	callDetails?: CallDetails;
	description?: string | null;
	extended?: Record<string, unknown> | null;
	externalId?: string | null;
	externalVersion?: string | null;
	title?: string | null;
};

export type MetricGroup = {
	metricGroupName: "overtalk" | "sentiment" | "talk-style-tone-and-volume" | "talk-time-and-rate";
	metricValues: {
		metricName: string;
		metricValue: number;
	}[];
};

export type MetricGroups = {
	_links: Links;
	metricGroups: {
		metricGroupName: string;
		metrics: {
			metricDescription: string;
			metricName: string;
			metricUnit: string;
		}[];
	}[];
};

export type Milliseconds = number;

export type Miss = {
	condition?: string;
	field?: string;
	kind: "noSpeaker" | "otherSpeaker" | "outsideWindow" | "slop" | "apart" | "someWords" | "notSaid" | "otherWord" | "differentTurns" | "everyTurn" | "later" | "noneFollows" | "isFollowed" | "shorter" | "value" | "noValue" | "otherField";
	message: string;
	missing?: string[];
	ms?: number;
	nearest?: string;
	places?: MatchPlace[];
	said?: string[];
	slop?: number;
	speakers?: string[];
	value?: unknown;
	word?: string;
};

export type Outline = {
	column: number;
	kind: "and" | "or" | "not" | "turnAnd" | "turnOr" | "turnNot" | "followed" | "phrase" | "interval" | "field" | "everything";
	length: number;
	line: number;
	parts?: Outline[];
	text: string;
};

export type ParameterDefinition = {
	defaultValue?: string;
	name: string;
	optional: boolean;
	type: "String" | "Integer" | "Float" | "Boolean";
	valueSet?: string[];
};

export type Parameters = {
	parameter?: string;
	value?: string;
}[];

export type Peaks = {
	bits: 8;
	channels: number;
	data: number[];
	length: number;
	sample_rate: number;
	samples_per_pixel: number;
	start: number;
	version: 2;
};

export type Person = {
	email?: string | null;
	externalId?: string | null;
	fullName?: string | null;
	phone?: string | null;
} | null;

export type Prediction = {
	classifiers?: Classifier[];
	detectors?: Detector[];
};

export type Preset = {
	_links: Links;
	configuration: Record<string, unknown>;
	dateCreated: string;
	dateModified: string;
	presetDescription?: string;
	presetName: string;
};

export type PresetContent = {
	_links?: Links;
	configuration: Record<string, unknown>;
	dateCreated?: string;
	dateModified?: string;
	presetDescription?: string;
	presetName?: string;
};

export type Presets = {
	_links: Links;
	presets: Preset[];
};

export type Problem = {
	code: number;
	column?: number;
	error: string;
	expected?: string[];
	length?: number;
	line?: number;
	nearest?: string;
};

export type Progress = {
	finish?: Timestamp;
	jobId: string;
	start?: Timestamp;
	status: TaskStatus;
	tasks: Task[];
};

export type ProgressOfMany = {
	_links: Links;
	media: {
		errors?: Problem[];
		jobId?: string;
		mediaId: MediaId;
		progress?: Progress;
		status?: Status;
	}[];
};

export type ProgressResource = {
	_links: Links;
	jobId: string;
	mediaId: MediaId;
	progress: Progress;
	status: Status;
};

export type PublicKey = {
	_links: Links;
	publicKeyHash: string;
	publicKeyId: string;
};

export type PublicKeys = {
	_links: Links;
	keys: {
		_links: Links;
	}[];
};

export type Queue = {
	_links: Links;
	dead: QueueCounts;
	jobs: QueuedJob[];
	running: QueueCounts;
	waiting: QueueCounts;
};

export type QueueCounts = {
	high: number;
	low: number;
	normal: number;
};

export type QueuedJob = {
	_links?: Links;
	accountId?: string;
	attempts: number;
	dateCreated: Timestamp;
	error?: string;
	jobId: string;
	kind: string;
	mediaId?: MediaId;
	nextAttempt?: Timestamp;
	priority: "high" | "normal" | "low";
	status: JobStatus;
};

export type Reprocessing = {
	configuration?: Configuration;
	metadata?: Metadata;
	transcript?: string;
};

export type Root = {
	_links: Links;
};

export type SavedQueries = {
	_links: Links;
	queries: SavedQuery[];
};

export type SavedQuery = {
	_links: Links;
	dateCreated: string;
	dateModified: string;
	query?: string;
	queryDescription?: string;
	queryName: string;
	view?: View;
	where?: string;
	words?: string;
};

export type SavedQueryContent = {
	query?: string;
	queryDescription?: string;
	queryName?: string;
	view?: View;
	where?: string;
	words?: string;
};

export type Scope = "media:read" | "media:write" | "definitions" | "keys" | "analytics" | "admin";

export type SearchFields = {
	_links: Links;
	fields: string[];
};

export type SearchFieldsContent = {
	fields: string[];
};

export type Session = {
	_links: Links;
	current: boolean;
	description?: string;
	expirationDate: Timestamp;
	finalExpirationDate: Timestamp;
	issued: Timestamp;
	keyId: string;
	lastUsed: Timestamp;
	scope: string;
	sessionId: string;
};

export type Sessions = {
	_links: Links;
	sessions: Session[];
};

export type SignIn = {
	key?: string;
	link?: string;
};

export type SignedIn = {
	account: {
		accountId: string;
		name: string;
	};
	expirationDate: Timestamp;
	finalExpirationDate: Timestamp;
	issued: Timestamp;
	key: {
		description?: string;
		expirationDate?: Timestamp;
		keyId: string;
		lastSix: string;
	};
	missingScopes: Scope[];
	scopes: Scope[];
	server: {
		engines: {
			engine: string;
			languages: string[];
			model: string;
		}[];
		maxUploadBytes?: number;
		version: string;
	};
	sessionId: string;
};

export type SpeakerSentiment = {
	sentimentValues: {
		e: Milliseconds;
		s: Milliseconds;
		v: number;
	}[];
	speakerName: string;
};

export type Spotting = {
	groups: {
		groupName: string;
		score: string | number;
		spotted: boolean;
		spottedKeywords: Keyword[];
	}[];
};

export type StatementRequest = {
	from?: string;
	statement: string;
	until?: string;
	zone?: string;
};

export type Status = "accepted" | "scheduled" | "running" | "finished" | "failed" | "rejected";

export type Stream = {
	status: 200;
	streamLocation: string;
	streamName: "original" | "redacted-audio" | "playable" | "original-encrypted" | "redacted-encrypted";
};

export type StreamLocation = {
	_links: Links;
	status: 200;
	streamLocation: string;
	streamName: string;
};

export type Streams = {
	_links: Links;
	mediaId: MediaId;
	streams: Stream[];
};

export type Submission = {
	configuration?: Configuration;
	file?: string;
	media?: string;
	mediaUrl?: string;
	metadata?: Metadata;
	transcript?: string;
};

export type Subtopic = {
	name: string;
	score: number;
};

export type Summary = {
	_links: Links;
	dateCreated: Timestamp;
	dateFinished?: Timestamp;
	expiresOn?: Timestamp;
	formatVersion: string;
	length?: Milliseconds;
	mediaContentType?: string;
	mediaId: MediaId;
	metadata?: Metadata;
	status: Status;
	timeToLiveInSeconds?: number;
};

export type Task = {
	dependencies: string[];
	dependents: string[];
	display: string;
	finishedAt?: Timestamp;
	percent: number;
	phase: string;
	startedAt?: Timestamp;
	status: TaskStatus;
	taskId: "fetch" | "transcode" | "recognize" | "analyze" | "publish";
};

export type TaskStatus = "pending" | "started" | "finished" | "failed" | "skipped" | "cancelled";

export type Tile = {
	chart?: "bars" | "lines" | "number" | "table";
	statement: string;
	title?: string;
	view?: View;
	width?: number;
};

export type Timestamp = string;

export type TrainingSet = {
	classifierDisplayName?: string;
	classifierName: string;
	examples: {
		label: string;
		mediaId?: string;
		text?: string;
	}[];
};

export type Transcript = {
	alternateFormats?: AlternateFormat[];
	confidence: number;
	turns?: Turn[];
	voiceActivity?: Activity[];
	words: Word[];
};

export type TranscriptResource = {
	_links: Links;
	alternateFormats?: AlternateFormat[];
	confidence: number;
	dateCreated: Timestamp;
	dateFinished?: Timestamp;
	expiresOn?: Timestamp;
	formatVersion: string;
	length?: Milliseconds;
	mediaContentType?: string;
	mediaId: MediaId;
	status: Status;
	timeToLiveInSeconds?: number;
	transcript: Transcript;
	words: Word[];
};

export type Trial = {
	calls: number;
	categoryName?: string;
	comparison?: {
		both: number;
		gained: number;
		lost: number;
		matched: number;
		query?: string;
		samples: {
			both: TrialSample[];
			gained: TrialSample[];
			lost: TrialSample[];
		};
	};
	days: {
		calls: number;
		date: string;
		matched: number;
		rate: number;
	}[];
	groups?: {
		by: string;
		otherCalls?: number;
		otherValues?: number;
		rows: {
			calls: number;
			condition?: string;
			from?: unknown;
			gained?: number;
			lost?: number;
			matched: number;
			rate: number;
			until?: unknown;
			value?: unknown;
		}[];
		withoutValue?: number;
		zone?: string;
	};
	matched: number;
	notIndexed?: number;
	query: string;
	queryTimeMillis: number;
	rate: number;
	samples: TrialSample[];
	warnings?: Message[];
};

export type TrialRequest = {
	compareWith?: "saved" | {
		condition: string;
	};
	groupBy?: string;
	groupLimit?: number;
	onOrAfterDate?: string;
	onOrBeforeDate?: string;
	query?: string;
	samples?: number;
	zone?: string;
};

export type TrialSample = {
	_links: Links;
	dateCreated: string;
	hits: Match[];
	mediaId: string;
};

export type Turn = {
	e: Milliseconds;
	s: Milliseconds;
	speaker: string;
	text?: string;
};

export type Usage = {
	_links: Links;
	accountId: string;
	months: UsageItem[];
};

export type UsageItem = {
	billedQuantity: number;
	billingUnit: "minutes";
	month: number;
	monthDay?: string;
	monthName: string;
	productName: "Speech recognition" | "Given transcripts";
	year: number;
};

export type View = Record<string, unknown>;

export type Vocabularies = {
	_links: Links;
	vocabularies: Vocabulary[];
};

export type Vocabulary = {
	_links: Links;
	scripts?: VocabularyScripts;
	terms?: VocabularyTerms;
	vocabularyName: string;
	vocabularyType?: string;
};

export type VocabularyContent = {
	scripts?: VocabularyScripts;
	terms?: VocabularyTerms;
	vocabularyName?: string;
	vocabularyType?: string;
};

export type VocabularyScripts = {
	script?: string;
}[];

export type VocabularyTerms = {
	soundsLike?: string[];
	term?: string;
	weight?: number;
}[];

export type Why = {
	_links: Links;
	categoryName?: string;
	condition: WhyPart;
	holds: boolean;
	incomplete?: boolean;
	mediaId: string;
	query: string;
	queryTimeMillis: number;
};

export type WhyPart = {
	column: number;
	decisive?: number[];
	hitCount?: number;
	hits?: MatchPlace[];
	holds: boolean;
	kind: "and" | "or" | "not" | "turnAnd" | "turnOr" | "turnNot" | "followed" | "phrase" | "interval" | "field" | "everything";
	length: number;
	line: number;
	misses?: Miss[];
	mustNot?: boolean;
	parts?: WhyPart[];
	text: string;
};

export type WhyRequest = {
	categoryName?: string;
	query?: string;
};

export type Word = {
	c: number;
	e: Milliseconds;
	frq?: {
		e: number;
		f: number;
	}[];
	m?: string;
	p?: number;
	s: Milliseconds;
	v?: number;
	w: string;
};

export type Words = {
	_links: Links;
	notIndexed?: number;
	warnings?: Message[];
	words: {
		calls: number;
		word: string;
	}[];
};
