import { z } from 'zod'
import { AppError } from '@/lib/errors'
import { methods, route } from '@/lib/http/route'
import { scimErrorResponse } from '@/lib/http/scim-error-response'

/** Every path of SCIM that no other handler has: 404 in its form, for any method. */
const notFound = route({
  doc: { undocumented: 'It handles the paths of SCIM without a route' },
  access: 'scim',
  query: z.object({}),
  formatError: scimErrorResponse,
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
