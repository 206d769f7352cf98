import pino from 'pino'

/** Lines that are kept for one write, in bytes, and for how long: a write for each takes longer than to make it. */
const KEPT_BYTES = 4_096
const KEPT_MS = 100

/** A line begins with its level. */
const LEVEL_AT = '{"level":'.length
const WARNING = '4'.charCodeAt(0)

// On `globalThis`: each route is a bundle with a copy of this module.
const shared = globalThis as typeof globalThis & { __engineLines?: (line: string) => void }

/** Lets `read` have each line that is written to stdout from now on, too. */
export function setLineReader(read: ((line: string) => void) | undefined): void {
  shared.__engineLines = read
}

let opened: pino.DestinationStream | undefined

/** Of this process. What it keeps is written at the exit, and with each warning and error. */
function stdout(): pino.DestinationStream {
  if (opened) return opened
  const kept = { minLength: KEPT_BYTES, periodicFlush: KEPT_MS }
  const lines = pino.destination({ dest: 1, sync: true, ...kept })
  process.once('exit', () => lines.flushSync())
  opened = {
    write: (line) => {
      lines.write(line)
      if (line.charCodeAt(LEVEL_AT) >= WARNING) lines.flushSync()
      shared.__engineLines?.(line)
    },
  }
  return opened
}

const SECRETS = new Set(['password', 'apiKey', 'token', 'authorization', 'cookie', 'secret'])

/** What a line says, without secrets at its first two levels; pino's own redaction takes longer than the rest of a line. */
const withoutSecrets = (line: Fields): Fields => redacted(line, (value) => redacted(value))

type Fields = Record<string, unknown>

/** The same object where it names no secret. */
function redacted(fields: Fields, within = (value: Fields): Fields => value): Fields {
  let changed: Fields | null = null
  for (const name in fields) {
    const value = fields[name]
    const shown = SECRETS.has(name) ? '[redacted]' : isFields(value) ? within(value) : value
    if (shown === value) continue
    changed ??= { ...fields }
    changed[name] = shown
  }
  return changed ?? fields
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Error)

/**
 * JSON lines on stdout, or in `destination`. Never log a body, headers or a row as a whole: name
 * the fields.
 */
export const createLog = (level: string, destination: pino.DestinationStream = stdout()) =>
  pino(
    {
      level,
      base: { app: 'engine' },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { log: withoutSecrets },
    },
    destination,
  )
export type Log = ReturnType<typeof createLog>
