import type { Metadata } from 'next'
import { RolePage } from '@/components/roles/role-page'
import { pageContext } from '@/lib/http/page'

type Props = PageProps<'/roles/[name]'>

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: decodeURIComponent((await params).name) }
}

export default async function OneRolePage({ params }: Props) {
  await pageContext('security:manage')
  return <RolePage name={decodeURIComponent((await params).name)} />
}
