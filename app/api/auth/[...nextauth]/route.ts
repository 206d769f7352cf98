import { methods } from '@/lib/http/methods'
import { nextAuthRoute } from '@/lib/http/next-auth-route'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: nextAuthRoute,
  POST: nextAuthRoute,
})
