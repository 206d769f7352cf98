import 'server-only'
import pino from 'pino'

/** JSON lines on stdout, or wherever they are to go. Never hand it a body, a header bag or a row: name the fields you mean. */
export const createLog = (level: string, destination?: pino.DestinationStream) =>
  pino(
    {
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
    },
    destination,
  )
export type Log = ReturnType<typeof createLog>
