// Style sheets that the build embeds in the script as text.
declare module '*.css?inline' {
  const css: string;
  export default css;
}
