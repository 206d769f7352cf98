import { _, Ajv, type ValidateFunction } from 'ajv'
import { storedPattern } from '@/lib/definitions/text-pattern'
import { matchesFormat } from '@/lib/kinds/formats'
import type { Kind } from '@/lib/kinds/kind'
import { KINDS } from '@/lib/kinds/kinds'
import type { Json, JsonObject } from '@/lib/values/json'
import { isNumberValue, type NumericLimits } from '@/lib/values/number-value'

/** The last used last. */
const kept = new Map<string, ValidateFunction>()
let keptChars = 0
const MAX_KEPT = 32
/** Of the texts of all that are kept: a function takes up to a hundred times the memory of its schema's text. */
const MAX_KEPT_CHARS = 100_000

/**
 * Compiles a schema of `recordSchema`. One that was compiled a while ago is kept, since a definition is read anew by each file of an
 * install: then it is the same function, which the engine has optimised. Throws for an invalid pattern.
 */
export function compileRecordSchema(schema: JsonObject): ValidateFunction {
  const text = JSON.stringify(schema)
  if (text.length > MAX_KEPT_CHARS) return compile(schema)
  const validate = kept.get(text) ?? compile(schema)
  forget(text)
  kept.set(text, validate)
  keptChars += text.length
  for (const oldest of kept.keys())
    if (kept.size > MAX_KEPT || keptChars > MAX_KEPT_CHARS) forget(oldest)
  return validate
}

function forget(text: string): void {
  if (kept.delete(text)) keptChars -= text.length
}

/** With an instance of its own, since Ajv keeps every schema it has seen. */
function compile(schema: JsonObject): ValidateFunction {
  const ajv = new Ajv({
    allErrors: true,
    ownProperties: true, // `constructor` is an ordinary field name
    strict: false,
    strictNumbers: true, // JSON.parse turns 1e999 into Infinity
    meta: false,
    validateSchema: false,
    messages: false,
  })
  ajv.addKeyword({
    keyword: 'textFormat',
    compile: (format: string) => textCheck((text) => matchesFormat(text, format)),
  })
  ajv.addKeyword({
    keyword: 'optionalFormat',
    compile: (format: string) => textCheck((text) => text === '' || matchesFormat(text, format)),
  })
  ajv.addKeyword({
    keyword: 'stored',
    compile: (kind: Kind) => orNull((value) => KINDS[kind].accepts(value, '')),
  })
  ajv.addKeyword({
    keyword: 'numeric',
    compile: (limits: NumericLimits) => orNull((value) => isNumberValue(value, limits)),
  })
  ajv.addKeyword({
    keyword: 'maxBytes',
    compile: (max: number) => textCheck((text) => fitsInBytes(text, max)),
    error: { message: '', params: ({ schema }) => _`{limit: ${schema}}` },
  })
  ajv.addKeyword({
    keyword: 'textPattern',
    compile: patternCheck,
    error: { message: '', params: ({ schemaCode }) => _`{rule: ${schemaCode}}` },
  })
  return ajv.compile(schema)
}

/** Texts that are too long to be matched count as not matching. */
function patternCheck({ pattern, maxChars }: { pattern: string; maxChars: number }) {
  const { isFoundIn } = storedPattern(pattern)
  return textCheck((text) => text.length <= maxChars && isFoundIn(text))
}

// `type` decides whether null is allowed.
const orNull =
  (check: (value: Json) => boolean) =>
  (value: Json): boolean =>
    value === null || check(value)

const textCheck = (check: (text: string) => boolean) =>
  orNull((value) => typeof value !== 'string' || check(value))

const fitsInBytes = (text: string, max: number): boolean =>
  text.length * 3 <= max || Buffer.byteLength(text) <= max
