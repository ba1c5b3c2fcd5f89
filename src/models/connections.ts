/** How a route reaches its provider. Stays inside the activity: `apiKey` is asked for at each call and goes nowhere else. */
export interface ModelConnection {
  /** With its version part: `https://api.openai.com/v1`. */
  baseURL: string;
  apiKey: () => string | undefined;
  /** Said when there is no key. Default `OPENAI_API_KEY`. */
  apiKeyVariable?: string;
  /** Ask for `strict` JSON schemas. */
  strict: boolean;
  stream: boolean;
  /** `json_object`: for providers without JSON schemas; the schema is then put into the messages. Default `json_schema`. */
  structuredOutput?: 'json_schema' | 'json_object';
  /** Where the output limit goes. Default `max_completion_tokens`; older servers know only `max_tokens`. */
  outputLimitField?: 'max_completion_tokens' | 'max_tokens';
}
