import { headers } from 'next/headers'
import { PageNotice } from '@/components/shell/page-notice'
import { rightBehind } from '@/components/shell/why-closed'
import { PATH_HEADER } from '@/lib/http/security-headers'

const LOCK = (
  <>
    <rect width="18" height="11" x="3" y="11" rx="2" ry="2" />
    <path d="M7 11V7a5 5 0 0 1 10 0v4" />
  </>
)

/** Says why, and who can change it: an administrator, whose name is for those who may see users. */
export default async function Forbidden() {
  const address = (await headers()).get(PATH_HEADER) ?? '/'
  return (
    <PageNotice icon={LOCK} title="You don’t have access to this page">
      None of your roles lets you {rightBehind(address)}. An administrator can change what your
      roles allow, or give you another one.
    </PageNotice>
  )
}
