type Issue = { code?: string; input?: unknown }

/**
 * Error of a zod type that tells a value that is missing from one of the wrong type; for other faults
 * the schema's own words.
 */
export const wordsFor =
  (missing: string, wrongType: string) =>
  ({ code, input }: Issue): string | undefined => {
    if (code !== 'invalid_type') return undefined
    return input === undefined || input === null ? missing : wrongType
  }
