import pino from 'pino'

/**
 * JSON lines on stdout, or in `destination`. Never log a body, headers or a row as a whole: name
 * the fields.
 */
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
