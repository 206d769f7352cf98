import type { Metadata } from 'next'
import { Prefetched, prefetchSearch } from '@/app/(admin)/prefetch'
import { loadListParams } from '@/components/data-table/list-params'
import { mailSearch } from '@/components/mail/mail-search'
import { MailView } from '@/components/mail/mail-view'
import { Page } from '@/components/shell/page'
import { Link } from '@/components/ui/link'
import { pageContext } from '@/lib/http/page'

export const metadata: Metadata = { title: 'Mail' }

export default async function MailPage({ searchParams }: PageProps<'/mail'>) {
  const { deps } = await pageContext('mail:manage')
  const search = mailSearch(await loadListParams(searchParams))
  return (
    <Prefetched of={[await prefetchSearch('EngineEmails', search)]}>
      <Page fill title="Mail" description={deps.mail ? SENT : <Kept />}>
        <MailView />
      </Page>
    </Prefetched>
  )
}

const SENT = 'Every mail, and what became of it. Content is dropped once it is sent.'

const Kept = () => (
  <>
    No provider is set, so mails are kept here to be read.{' '}
    <Link href="/settings" className="whitespace-nowrap underline underline-offset-2">
      Set one up
    </Link>
  </>
)
