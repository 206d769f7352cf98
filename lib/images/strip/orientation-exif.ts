/**
 * The smallest Exif there is (a TIFF header with one entry), saying only how to turn the image:
 * `orientation` is 1 to 8, Exif 2.32 §4.6.4. It replaces all else that an Exif may tell.
 */
export function orientationExif(orientation: number): Buffer {
  const tiff = Buffer.alloc(26)
  tiff.write('II*\0', 'latin1')
  tiff.writeUInt32LE(8, 4) // place of the only directory
  tiff.writeUInt16LE(1, 8) // its entries
  tiff.writeUInt16LE(0x0112, 10) // Orientation
  tiff.writeUInt16LE(3, 12) // SHORT
  tiff.writeUInt32LE(1, 14)
  tiff.writeUInt16LE(orientation, 18)
  return tiff
}
