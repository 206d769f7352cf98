/** What conditions can ask of values: of all; of those with an order; of texts and JSON by their words; of texts alone; of places. */
export type OperatorFamily = 'any' | 'order' | 'words' | 'pattern' | 'place'

/** What values are by themselves; `is…Kind` below ask it. */
type Form = 'text' | 'whole number' | 'number' | 'any JSON' | 'object' | 'place' | 'list' | 'other'

type Traits = { form: Form; noun: string; operators: readonly OperatorFamily[] }

/**
 * Every kind of fields: how values of a property are stored, compared and searched. This list has what
 * servers and browsers ask of a kind; `kinds.ts` has the rest for servers, `components/kinds` for the console.
 */
export const KIND_TRAITS = {
  text: { form: 'text', noun: 'text', operators: ['any', 'order', 'words', 'pattern'] },
  integer: { form: 'whole number', noun: 'a whole number', operators: ['any', 'order'] },
  float: { form: 'number', noun: 'a number', operators: ['any', 'order'] },
  decimal: { form: 'number', noun: 'a number', operators: ['any', 'order'] },
  boolean: { form: 'other', noun: 'true or false', operators: ['any'] },
  date: { form: 'other', noun: 'a date', operators: ['any', 'order'] },
  datetime: { form: 'other', noun: 'a date and time', operators: ['any', 'order'] },
  time: { form: 'other', noun: 'a time of day', operators: ['any', 'order'] },
  duration: { form: 'other', noun: 'a duration', operators: ['any', 'order'] },
  location: { form: 'place', noun: 'a location', operators: ['any', 'place'] },
  json: { form: 'any JSON', noun: 'a JSON value', operators: ['any', 'order', 'words'] },
  object: { form: 'object', noun: 'an object', operators: ['any', 'words'] },
  array: { form: 'list', noun: 'a list', operators: ['any', 'words'] },
} as const satisfies Record<string, Traits>

export type Kind = keyof typeof KIND_TRAITS

export const KIND_NAMES = Object.keys(KIND_TRAITS) as Kind[]

/** What a value of the kind is, in words after `is` or `must be`. */
export const nounOf = (kind: Kind): string => KIND_TRAITS[kind].noun

export const isTextKind = (kind: Kind): boolean => KIND_TRAITS[kind].form === 'text'

export const isWholeKind = (kind: Kind): boolean => KIND_TRAITS[kind].form === 'whole number'

export const isNumberKind = (kind: Kind): boolean =>
  isWholeKind(kind) || KIND_TRAITS[kind].form === 'number'

export const isListKind = (kind: Kind): boolean => KIND_TRAITS[kind].form === 'list'

/** JSON of any type, which varies by record. */
export const isAnyJsonKind = (kind: Kind): boolean => KIND_TRAITS[kind].form === 'any JSON'

export const isPlaceKind = (kind: Kind): boolean => KIND_TRAITS[kind].form === 'place'

/** Held as JSON: of any type, objects, places or lists. */
export const isJsonKind = (kind: Kind): boolean =>
  isAnyJsonKind(kind) ||
  isListKind(kind) ||
  isPlaceKind(kind) ||
  KIND_TRAITS[kind].form === 'object'

export const hasOperators = (kind: Kind, family: OperatorFamily): boolean =>
  (KIND_TRAITS[kind].operators as readonly OperatorFamily[]).includes(family)
