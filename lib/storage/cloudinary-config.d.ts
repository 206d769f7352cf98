declare module 'cloudinary/lib/config.js' {
  const configure: (settings: { upload_prefix: string }) => void
  export default configure
}
