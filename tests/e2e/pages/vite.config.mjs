// Bundles every page of src/ once, with its framework, by the Vite of the extension.
import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'

const HERE = import.meta.dirname
const LIBRARIES = new Set(['react_form.js'])
const pages = readdirSync(join(HERE, 'src')).filter((name) => !LIBRARIES.has(name))

/** React 18 stands beside 19 under another name: what belongs to it, or knows no newer one, finds it there. */
const OLD = /\/(react-dom-18|draft-js|fbjs)\//
const oldReact = {
  name: 'old-react',
  enforce: 'pre',
  resolveId(name, importer) {
    if ((name === 'react' || name === 'react-dom') && OLD.test(importer ?? '')) return this.resolve(`${name}-18`, importer)
    return null
  },
}

export default {
  root: HERE,
  publicDir: false,
  plugins: [oldReact],
  define: {
    'process.env.NODE_ENV': '"production"',
    global: 'globalThis',
    __VUE_OPTIONS_API__: 'true',
    __VUE_PROD_DEVTOOLS__: 'false',
    __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'false',
  },
  build: {
    outDir: join(HERE, '.output'),
    emptyOutDir: true,
    modulePreload: false,
    minify: false,
    reportCompressedSize: false,
    rollupOptions: {
      input: Object.fromEntries(pages.map((name) => [basename(name, '.js'), join(HERE, 'src', name)])),
      output: { entryFileNames: '[name].js', chunkFileNames: 'shared-[name].js' },
    },
  },
}
