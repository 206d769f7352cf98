import type { ReactNode } from 'react'
import { CopyButton } from '@/components/ui/copy-button'
import { Facts } from '@/components/ui/facts'
import { Link } from '@/components/ui/link'
import { formatCount } from '@/components/ui/number'
import { Time } from '@/components/ui/time'
import type { Image } from '@/lib/images/contract'
import { formatBytes } from '@/lib/values/format-bytes'
import { withFacet } from './images-search'

/** What is known of an image, and both of its addresses to copy. */
export function ImageFacts({ image }: { image: Image }) {
  const { mediaType, width, height, bytes, folder, fileId, publicId } = image
  return (
    <Facts
      facts={[
        { label: 'Size', value: `${width} × ${height} pixels` },
        {
          label: 'Bytes',
          value: (
            <>
              {formatBytes(bytes)}{' '}
              <span className="tabular text-muted-foreground">({formatCount(bytes)})</span>
            </>
          ),
        },
        { label: 'Type', value: mediaType },
        { label: 'Folder', value: folder ? <FolderLink folder={folder} /> : 'None' },
        { label: 'Public ID', value: <Copied label="the public ID" text={publicId} /> },
        { label: 'File ID', value: <Copied label="the file ID" text={fileId} /> },
        { label: 'Address', value: <Copied label="the address" text={image.uri} /> },
        image.secureUri !== image.uri && {
          label: 'HTTPS address',
          value: <Copied label="the HTTPS address" text={image.secureUri} />,
        },
        { label: 'Uploaded', value: <Time value={image.createdAt} /> },
        image.updatedAt !== image.createdAt && {
          label: 'Changed',
          value: <Time value={image.updatedAt} />,
        },
      ]}
    />
  )
}

const FolderLink = ({ folder }: { folder: string }): ReactNode => {
  const filter = JSON.stringify(withFacet([], 'folder', folder))
  return (
    <Link href={`/images?filter=${encodeURIComponent(filter)}`} className="underline">
      {folder}
    </Link>
  )
}

const Copied = ({ label, text }: { label: string; text: string }) => (
  <span className="flex min-w-0 items-start gap-1">
    <span className="min-w-0 font-mono text-xs leading-5 break-all">{text}</span>
    <CopyButton text={text} label={`Copy ${label}`} className="-my-1 shrink-0" />
  </span>
)
