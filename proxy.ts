import { type NextRequest, NextResponse } from 'next/server'
import { databaseResponds } from '@/lib/health/ping'
import { awayPage } from '@/lib/http/away-page'
import { contentSecurityPolicy, PATH_HEADER } from '@/lib/http/security-headers'

/**
 * Sets the security headers of pages, and replaces pages while the database is away. Each page
 * checks itself who may see it.
 */
export async function proxy(request: NextRequest): Promise<Response> {
  const nonce = btoa(crypto.randomUUID())
  const policy = contentSecurityPolicy(nonce, {
    development: process.env.NODE_ENV === 'development',
  })
  const own = { 'Content-Security-Policy': policy, 'Cache-Control': 'no-store' }
  if (!(await databaseResponds())) return awayPage(nonce, own)
  const headers = new Headers(request.headers)
  headers.set('x-nonce', nonce)
  headers.set(PATH_HEADER, request.nextUrl.pathname + request.nextUrl.search)
  headers.set('Content-Security-Policy', policy) // where Next finds the nonce for its own scripts
  const response = NextResponse.next({ request: { headers } })
  for (const [name, value] of Object.entries(own)) response.headers.set(name, value)
  return response
}

// Never `/api`: the body of a request that passes here is cut off at 10 MB without an error. Files
// are named one by one, since addresses of pages may end like files do
// (`/plugins/com.example.shop`).
export const config = {
  matcher: ['/((?!api/|api$|schemas/|_next/|samples/|icon\\.svg$).*)'],
}
