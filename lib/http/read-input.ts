import type { Deps } from '@/lib/deps'
import 'server-only'
import type { z } from 'zod'
import { AppError } from '@/lib/errors'
import { bodyLimits, type JsonBody, readJson } from './body'
import { InputFaults } from './invalid-input'
import { readMultipart, type Upload, type UploadOptions } from './multipart'
import { checkQuery, NO_QUERY } from './query'
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
  const upload = spec.upload ? await readUpload(spec.upload(deps), request, deps) : null
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
