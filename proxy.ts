import { type NextRequest, NextResponse } from 'next/server'
import { contentSecurityPolicy, PATH_HEADER } from '@/lib/http/security-headers'

/** Gives pages their security headers. Who may see a page is decided by the page itself. */
export function proxy(request: NextRequest): NextResponse {
  const nonce = btoa(crypto.randomUUID())
  const policy = contentSecurityPolicy(nonce, {
    development: process.env.NODE_ENV === 'development',
  })
  const headers = new Headers(request.headers)
  headers.set('x-nonce', nonce)
  headers.set(PATH_HEADER, request.nextUrl.pathname + request.nextUrl.search)
  headers.set('Content-Security-Policy', policy) // where Next finds the nonce for its own scripts
  const response = NextResponse.next({ request: { headers } })
  response.headers.set('Content-Security-Policy', policy)
  response.headers.set('Cache-Control', 'no-store')
  return response
}

// Never `/api`: the body of a request that passes here is cut off at 10 MB without an error. Files are
// named one by one, since addresses of pages may end like files do (`/plugins/com.example.shop`).
export const config = {
  matcher: ['/((?!api/|api$|_next/|samples/|icon\\.svg$).*)'],
}
