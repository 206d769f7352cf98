import { AppError } from '@/lib/errors'
import { type Handler, METHODS, methodNotAllowed, methods } from '@/lib/http/methods'
import { REFUSED_METHOD_HEADER } from '@/lib/http/prepare-requests'
import { route } from '@/lib/http/route'

/** Every path that no other handler has: 404 in the envelope, for any method. */
const notFound = route({
  doc: { undocumented: 'It handles the paths without a route' },
  access: 'public',
  handle: async ({ request }) => {
    const { pathname } = new URL(request.url)
    throw new AppError('not_found', `There is nothing at ${request.method} ${pathname}`)
  },
})

const refuseGet: Handler = Object.assign(
  async (...[request, context]: Parameters<Handler>) => {
    const refused = request.headers.get(REFUSED_METHOD_HEADER)
    return refused ? methodNotAllowed(refused, METHODS.join(', ')) : notFound(request, context)
  },
  { spec: notFound.spec },
)

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: refuseGet,
  HEAD: notFound,
  POST: notFound,
  PUT: notFound,
  PATCH: notFound,
  DELETE: notFound,
  OPTIONS: notFound,
})
