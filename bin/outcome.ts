/** What a command has to say: as lines for people, and as JSON. */
export type Outcome = {
  lines: string[]
  json: unknown
  /** Whether the exit code says so. */
  failed?: boolean
}
