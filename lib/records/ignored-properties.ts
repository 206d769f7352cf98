import { toStorableText } from '@/lib/values/storable'
import { shorten } from '@/lib/values/unknown-name'

/** Of a batch deletion; everything else is ignored, as interface.md §7 says. */
const PROCESSED = new Set(['entity', 'query', 'filters'])

const MAX_NAMED = 20

/**
 * The properties of a batch deletion's body that are ignored, at most 20, for messages and the audit log: without
 * conditions, one of them may have been meant as the query.
 */
export const ignoredProperties = (body: object): string[] =>
  Object.keys(body)
    .filter((name) => !PROCESSED.has(name))
    .slice(0, MAX_NAMED)
    .map((name) => toStorableText(shorten(name)))
