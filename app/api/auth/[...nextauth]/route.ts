import { nextAuthRoute } from '@/lib/http/next-auth-route'
import { methods } from '@/lib/http/route'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: nextAuthRoute,
  POST: nextAuthRoute,
})
