import { Prefetched, prefetchList } from '@/app/(admin)/prefetch'
import { MailList } from '@/components/mail/mail-list'
import { mailQuery } from '@/components/mail/mail-queries'
import { pageContext } from '@/lib/http/page'

export const metadata = { title: 'Mail' }

export default async function MailPage({ searchParams }: PageProps<'/mail'>) {
  await pageContext('mail:manage')
  return (
    <Prefetched of={[await prefetchList(mailQuery, searchParams)]}>
      <MailList />
    </Prefetched>
  )
}
