import 'server-only'
import pino from 'pino'

/** JSON lines on stdout. Never hand it a body, a header bag or a row: name the fields you mean. */
export const createLog = (level: string) =>
  pino({
    level,
    base: { app: 'engine' },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: {
      paths: [
        'password',
        '*.password',
        'apiKey',
        '*.apiKey',
        'token',
        '*.token',
        'authorization',
        '*.authorization',
        'cookie',
        '*.cookie',
        'secret',
        '*.secret',
      ],
      censor: '[redacted]',
    },
  })
export type Log = ReturnType<typeof createLog>
