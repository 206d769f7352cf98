import { ConsoleFrame } from '@/app/(admin)/console-frame'
import { ApiDocsView } from '@/components/api-docs/api-docs-view'
import { VisitorFrame } from '@/components/shell/visitor-frame'
import { isReady } from '@/lib/auth/rights'
import { publicPageContext } from '@/lib/http/page'

export const metadata = { title: 'API reference' }

/** A public page; signed-in users see it inside the console. */
export default async function ApiDocsPage() {
  const { deps, actor } = await publicPageContext()
  if (!actor || !isReady(actor))
    return (
      <VisitorFrame next="/api-docs">
        <ApiDocsView visitor={null} />
      </VisitorFrame>
    )
  return (
    <ConsoleFrame deps={deps} actor={actor}>
      <ApiDocsView visitor={actor.userId} />
    </ConsoleFrame>
  )
}
