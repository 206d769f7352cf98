import { AppError } from '@/lib/errors'
import { methods, route } from '@/lib/http/route'

/** Every path that no other handler has: 404 in the envelope, for any method. */
const notFound = route({
  doc: { undocumented: 'It handles the paths without a route' },
  access: 'public',
  handle: async ({ request }) => {
    const { pathname } = new URL(request.url)
    throw new AppError('not_found', `There is nothing at ${request.method} ${pathname}`)
  },
})

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: notFound,
  HEAD: notFound,
  POST: notFound,
  PUT: notFound,
  PATCH: notFound,
  DELETE: notFound,
  OPTIONS: notFound,
})
