/** The exit codes; scripts may rely on them. */
export const EXIT = {
  done: 0,
  /** Refused, or done in part: an invalid archive, files that failed. */
  failed: 1,
  /** Wrong arguments or settings. */
  usage: 2,
  /** The server did not respond. */
  unreachable: 3,
} as const

/** Ends the command with an exit code and a message that says what to do. */
export class Failure extends Error {
  override readonly name = 'Failure'

  constructor(
    message: string,
    readonly exitCode: number = EXIT.failed,
    /** For `--json`, beside the message. */
    readonly details: object = {},
    /** Of the refused request: what the server did nevertheless. */
    readonly data: unknown = undefined,
  ) {
    super(message)
  }
}

/** What a command has to say: as lines for people, and as JSON. */
export type Outcome = {
  lines: string[]
  json: unknown
  /** Whether the exit code says so. */
  failed?: boolean
}
