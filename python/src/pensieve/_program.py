"""The program that does the work: where it is, and how it is run."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from typing import Dict, Iterator, List, Mapping, Optional, Sequence, Tuple, Type, Union

#: A path, as text or as an object that stands for one.
Path = Union[str, "os.PathLike[str]"]


class PensieveError(Exception):
    """The program could not do its job; the message says why. ``hint`` is what it advises, in words of its command line."""

    hint: Optional[str] = None

    @classmethod
    def of(cls, ran: "subprocess.CompletedProcess[str]") -> "PensieveError":
        """The error of a command that failed, by its exit code."""
        said, hint = read_message(ran.stderr, ran.returncode)
        error = KINDS.get(ran.returncode, PensieveError)(said)
        error.hint = hint
        return error


class UsageError(PensieveError, ValueError):
    """An argument has a value that cannot be meant."""


class ConfigurationError(PensieveError, ValueError):
    """A setting does not exist, or cannot have this value."""


class InputError(PensieveError):
    """A folder, document or corpus does not exist or cannot be read, or the corpus has no such document."""


class CorpusError(PensieveError):
    """The database is locked by another run, full, read-only, newer than the program, or of another one."""


#: The errors by exit code.
KINDS: Dict[int, Type[PensieveError]] = {2: UsageError, 3: ConfigurationError, 4: InputError, 5: CorpusError}


def program() -> str:
    """The program that was installed with this package; ``PENSIEVE_BIN`` names another one."""
    chosen = os.environ.get("PENSIEVE_BIN")
    if chosen:
        return chosen
    name = "pensieve.exe" if os.name == "nt" else "pensieve"
    folders = [sysconfig.get_path("scripts"), os.path.dirname(sys.executable)]
    for scheme in ("posix_user", "nt_user", "osx_framework_user"):
        if scheme in sysconfig.get_scheme_names():
            folders.append(sysconfig.get_path("scripts", scheme))
    for folder in folders:
        if folder and os.path.isfile(os.path.join(folder, name)):
            return os.path.join(folder, name)
    found = shutil.which("pensieve")
    if found is None:
        raise PensieveError("the pensieve program is not installed beside this package")
    return found


def environment() -> Dict[str, str]:
    """The environment of the program: it takes every ``PENSIEVE_*`` for a key of its configuration."""
    return {name: value for name, value in os.environ.items() if name != "PENSIEVE_BIN"}


def run(words: Sequence[str], variables: Mapping[str, str] = {}) -> "subprocess.CompletedProcess[str]":
    """Runs a command to its end, with settings as variables."""
    return subprocess.run(
        [program(), *words],
        env={**environment(), **variables},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        errors="replace",
        check=False,
    )


def read_message(stderr: str, code: int) -> Tuple[str, Optional[str]]:
    """What the program said last as an error, and its hint; its exit code where it said nothing."""
    lines = stderr.strip().splitlines()
    starts = [at for at, line in enumerate(lines) if line.startswith("error: ")]
    if not starts:
        return stderr.strip() or f"pensieve ended with exit code {code}", None
    # The error of the whole run is the last one; those of single files come before it.
    last = lines[starts[-1] :]
    hints = [line[len("hint: ") :] for line in last if line.startswith("hint: ")]
    said = [line for line in last if not line.startswith(("hint: ", "Usage: ", "For more information")) and line.strip()]
    return "\n".join(said)[len("error: ") :].strip(), "\n".join(hints) or None


def message(stderr: str, code: int) -> str:
    """What the program said, or its exit code where it said nothing."""
    return read_message(stderr, code)[0]


def checked(words: Sequence[str], variables: Mapping[str, str] = {}) -> str:
    """What a command printed; raises the :class:`PensieveError` of its kind where it failed."""
    ran = run(words, variables)
    if ran.returncode != 0:
        raise PensieveError.of(ran)
    return ran.stdout


class Lines(Iterator[bytes]):
    """The lines that a command prints, while it runs. The command ends with :meth:`close`."""

    def __init__(self, words: Sequence[str]) -> None:
        # A file, not a pipe: nobody reads it while the lines are read.
        self._stderr = tempfile.TemporaryFile()
        #: Bytes that were read so far.
        self.bytes_read = 0
        command: List[str] = [program(), *words]
        self._child = subprocess.Popen(
            command, env=environment(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=self._stderr
        )

    def __next__(self) -> bytes:
        stdout = self._child.stdout
        line = b"" if stdout is None or stdout.closed else stdout.readline()
        if not line.endswith(b"\n"):
            # The end; a part of a line is one of a command that was killed.
            self._end()
            raise StopIteration
        self.bytes_read += len(line)
        return line

    def _end(self) -> None:
        if self._stderr.closed:
            return
        code = self._child.wait()
        self._stderr.seek(0)
        said = self._stderr.read().decode("utf-8", "replace")
        self.close()
        if code != 0:
            raise KINDS.get(code, PensieveError)(message(said, code))

    def close(self) -> None:
        """Ends the command if it still runs. May be called twice."""
        if self._child.poll() is None:
            self._child.kill()
            self._child.wait()
        if self._child.stdout is not None:
            self._child.stdout.close()
        self._stderr.close()

    def __del__(self) -> None:
        if hasattr(self, "_child"):
            self.close()
