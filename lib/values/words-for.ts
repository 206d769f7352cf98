type Issue = { code?: string; input?: unknown }

/**
 * Error of a zod type that distinguishes a missing value from one of the wrong type; other errors
 * keep the schema's message.
 */
export const wordsFor =
  (missing: string, wrongType: string) =>
  ({ code, input }: Issue): string | undefined => {
    if (code !== 'invalid_type') return undefined
    return input === undefined || input === null ? missing : wrongType
  }
