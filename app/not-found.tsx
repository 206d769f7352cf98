import { PageNotice } from '@/components/shell/page-notice'

const FILE_QUESTION = (
  <>
    <path d="M6 22a2 2 0 0 1-2-2V4a2 2 0 0 1 2-2h8a2.4 2.4 0 0 1 1.704.706l3.588 3.588A2.4 2.4 0 0 1 20 8v12a2 2 0 0 1-2 2z" />
    <path d="M12 17h.01" />
    <path d="M9 9.5a3 2.5 0 016 0c0 2-2 2-3 3.5" />
  </>
)

export default function NotFound() {
  return (
    <PageNotice icon={FILE_QUESTION} title="Page not found">
      The address may be outdated, or the item was deleted.
    </PageNotice>
  )
}
