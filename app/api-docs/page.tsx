import type { Metadata } from 'next'
import { cookies } from 'next/headers'
import { ApiDocsView } from '@/components/api-docs/api-docs-view'
import { AppShell } from '@/components/shell/app-shell'
import { viewerOf } from '@/components/shell/viewer-of'
import { VisitorFrame } from '@/components/shell/visitor-frame'
import { publicPageContext } from '@/lib/http/page'

export const metadata: Metadata = { title: 'API reference' }

/** A public page; signed-in users see it inside the console. */
export default async function ApiDocsPage() {
  const { actor } = await publicPageContext()
  if (!actor || actor.mustChangePassword)
    return (
      <VisitorFrame next="/api-docs">
        <ApiDocsView visitor={null} />
      </VisitorFrame>
    )
  const collapsed = (await cookies()).get('sidebar')?.value === 'collapsed'
  return (
    <AppShell viewer={viewerOf(actor)} initiallyCollapsed={collapsed}>
      <ApiDocsView visitor={actor.userId} />
    </AppShell>
  )
}
