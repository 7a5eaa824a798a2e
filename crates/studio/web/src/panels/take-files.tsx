import { chosen, type Given } from '../given';

interface TakeFilesProps {
  onFiles(given: Given[]): void;
}

/** Buttons to choose files, or a folder with all its contents. */
export function TakeFiles({ onFiles }: TakeFilesProps) {
  const choose = (isFolder: boolean) => {
    const input = document.createElement('input');
    input.type = 'file';
    input.multiple = true;
    input.webkitdirectory = isFolder;
    input.onchange = () => {
      const given = chosen(input.files);
      if (given.length > 0) onFiles(given);
    };
    input.click();
  };
  return (
    <p class="take-files">
      <button type="button" onClick={() => choose(false)}>
        Choose files
      </button>
      <button type="button" onClick={() => choose(true)}>
        Choose a folder
      </button>
    </p>
  );
}
