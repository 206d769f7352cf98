import { AppError } from '@/lib/errors'
import { type Handler, METHODS, methods } from '@/lib/http/route'
import { scimErrorResponse } from '@/lib/http/scim-error-response'

/** As `methods`, with 405 in the form of SCIM. */
export function scimMethods(handlers: Parameters<typeof methods>[0]): ReturnType<typeof methods> {
  const all = methods(handlers)
  const others = METHODS.filter((method) => !isPresent(method, handlers))
  const refused = others.map((method) => [method, inOwnForm(all[method])])
  return { ...all, ...Object.fromEntries(refused) }
}

const isPresent = (method: (typeof METHODS)[number], handlers: object) =>
  method in handlers || method === 'OPTIONS' || (method === 'HEAD' && 'GET' in handlers)

const inOwnForm =
  (refuse: Handler): Handler =>
  async (request, context) => {
    const { headers } = await refuse(request, context)
    const allow = headers.get('allow') ?? ''
    const message = `${request.method} is not allowed here; use ${allow}`
    const error = new AppError('method_not_allowed', message)
    const response = scimErrorResponse({ status: 405, error, unexpected: false })
    for (const [name, value] of headers)
      if (name !== 'content-type') response.headers.set(name, value)
    return response
  }
