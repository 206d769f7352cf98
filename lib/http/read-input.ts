import type { z } from 'zod'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import { strictObject } from '@/lib/values/wire-types'
import { bodyLimits, type JsonBody, readJson } from './body'
import { InputFaults } from './invalid-input'
import { readMultipart, type Upload, type UploadOptions } from './multipart'
import type { Spec } from './route-spec'

/** The checked input of a request. */
export type RequestInput<P, Q, B> = {
  params: P
  query: Q
  body: B
  /** Must be disposed of. */
  upload: Upload | null
  /** Distinguishes requests to one address. */
  content: string
}

/**
 * Reads and checks the input of a request. Errors of params, query and a JSON body are thrown
 * together, as one `invalid_input`; an upload is received only when everything else is valid.
 */
export async function readInput<A, P, Q, B>(
  spec: Spec<A, P, Q, B>,
  params: z.ZodSafeParseResult<P>,
  request: Request,
  deps: Deps,
): Promise<RequestInput<P, Q, B>> {
  const faults = new InputFaults()
  const checkedParams = faults.take(params)
  const query = checkQuery(querySchema(spec), request, faults)
  const json = spec.body ? await readBody(spec, request, deps, faults) : null
  const body = json ? checkBody(spec, query, json, faults) : undefined
  faults.throwIfAny()
  const upload = spec.upload ? await readUpload(await spec.upload(deps), request, deps) : null
  return {
    params: checkedParams as P,
    query: query.checked as Q,
    body: body as B,
    upload,
    content: upload ? contentOf(upload) : (json?.sha256 ?? ''),
  }
}

/** Probes of public routes (health, metrics, files) may add parameters of their own. */
function querySchema<A, P, Q, B>({ query, access }: Spec<A, P, Q, B>): z.ZodType<Q> | undefined {
  const isOpen = access === 'public' || access === 'optional'
  return query ?? (isOpen ? undefined : (NO_QUERY as unknown as z.ZodType<Q>))
}

const readUpload = (options: UploadOptions, request: Request, { settings }: Deps) =>
  readMultipart(request, options, settings.BODY_TIMEOUT_MS)

const contentOf = ({ file, fields }: Upload) =>
  JSON.stringify([file?.sha256, file?.fileName, fields])

/** Null, with its error added, when it is not valid JSON. */
async function readBody<A, P, Q, B>(
  spec: Spec<A, P, Q, B>,
  request: Request,
  deps: Deps,
  faults: InputFaults,
): Promise<JsonBody | null> {
  try {
    return await readJson(request, bodyLimits(deps.settings, spec), {
      exactly: spec.exactNumbers,
      orEmpty: spec.optionalBody,
    })
  } catch (error) {
    const isFault = error instanceof AppError && error.code === 'invalid_input'
    // The only error is thrown unchanged.
    if (!isFault || faults.toError() === null) throw error
    faults.add({ field: '', error: error.message }, error)
    return null
  }
}

function checkBody<A, P, Q, B>(
  { body }: Spec<A, P, Q, B>,
  query: { likely: Q | undefined },
  { json }: JsonBody,
  faults: InputFaults,
): B | undefined {
  if (typeof body !== 'function') return body && faults.take(body.safeParse(json))
  // The schema of the body depends on a valid query.
  return query.likely && faults.take(body(query.likely).safeParse(json))
}

/** `likely`: the query without its invalid parameters; undefined when that is invalid too. */
type CheckedQuery<Q> = { checked: Q | undefined; likely: Q | undefined }

/**
 * For a route without parameters: an unknown one must not be ignored, it may be meant as a filter.
 */
const NO_QUERY = strictObject({})

/**
 * Checks the query string of a request; its errors go to `faults`. Without a schema it is not
 * checked.
 */
function checkQuery<Q>(
  schema: z.ZodType<Q> | undefined,
  request: Request,
  faults: InputFaults,
): CheckedQuery<Q> {
  if (!schema) return { checked: {} as Q, likely: {} as Q }
  const { url } = request
  const mark = url.indexOf('?')
  if (mark < 0) return allOf(schema.safeParse({}), faults)
  const end = url.indexOf('#', mark)
  const search = new URLSearchParams(url.slice(mark + 1, end < 0 ? undefined : end))
  const { sent, repeated } = namesOnce(search)
  for (const field of repeated) faults.add({ field, error: 'Given more than once' })
  const result = schema.safeParse(sent)
  if (result.success) return allOf(result, faults)
  const checked = faults.take(result)
  const faulty = new Set(result.error.issues.flatMap(namesIn))
  const rest = Object.entries(sent).filter(([name]) => !faulty.has(name))
  return { checked, likely: schema.safeParse(Object.fromEntries(rest)).data }
}

function allOf<Q>(result: z.ZodSafeParseResult<Q>, faults: InputFaults): CheckedQuery<Q> {
  const checked = faults.take(result)
  return { checked, likely: checked }
}

const namesIn = (issue: z.core.$ZodIssue): unknown[] =>
  issue.code === 'unrecognized_keys' && issue.path.length === 0 ? issue.keys : [issue.path[0]]

/** What was sent by names that come once, and the other names. */
function namesOnce(search: URLSearchParams) {
  const sent: Record<string, string> = {}
  const repeated = new Set<string>()
  for (const [name, value] of search) {
    if (Object.hasOwn(sent, name)) repeated.add(name)
    // Any other name is set so, and faster by assignment.
    else if (name === '__proto__') Object.defineProperty(sent, name, { value, ...PLAIN })
    else sent[name] = value
  }
  for (const name of repeated) delete sent[name]
  return { sent, repeated }
}

const PLAIN = { enumerable: true, configurable: true, writable: true }
